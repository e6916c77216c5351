// JSON text to the document that programs exchange, compiled once for everybody.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace knapsack {

// The document, is_discarded() where the text is not JSON. Recursion is as deep as the text nests: of a text from outside,
// is_nested_deeper_than() is asked first.
nlohmann::json parse_json(std::string_view text);

// The same with the members of objects in the order of the text.
nlohmann::ordered_json parse_ordered_json(std::string_view text);

}  // namespace knapsack

// Adding to a JSON file that people write, and taking out again, in the file's own style.
//
// Adding is insertions only (text_edit.h): indentation, line breaks and the way a file separates names from
// values are taken from what is around the place. Pure functions; any thread.
// Private to clients/.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "clients/jsonc.h"
#include "clients/text_edit.h"

namespace knapsack::clients {

// The insertions that make `value` the member at `path`; objects that are missing on the way are made. No
// member of that name may be there. kConfig with the line where something on the way is not an object.
Result<std::vector<Insertion>> add_member(std::string_view text, std::string_view name,
                                          const std::vector<std::string>& path,
                                          const nlohmann::ordered_json& value);
// The same for a last element of the array at `path`, which is made where it is missing.
Result<std::vector<Insertion>> add_element(std::string_view text, std::string_view name,
                                           const std::vector<std::string>& path,
                                           const nlohmann::ordered_json& value);

// The text without one member or element, the comma that it needed and the white space before it.
std::string without_member(std::string_view text, const JsonNode& object, size_t index);
std::string without_element(std::string_view text, const JsonNode& array, size_t index);

// A whole new file.
std::string new_json_file(const nlohmann::ordered_json& value);

}  // namespace knapsack::clients

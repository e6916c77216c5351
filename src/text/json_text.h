// JSON strings, written straight from text: what lean JSON is made of.
//
// Documents that programs exchange are built with nlohmann-json. A packet is printed piece by piece and every
// piece is priced, so its strings are written on their own; the tests hold them against that library's.
#pragma once

#include <string>
#include <string_view>

namespace knapsack {

// The text in quotes, with the escapes that JSON demands and no others. Bytes that are not UTF-8 become
// U+FFFD.
std::string json_string(std::string_view text);

// Whether brackets are open more than `levels` deep anywhere; to be asked before a text from outside is
// parsed. Any bytes.
bool is_nested_deeper_than(std::string_view json, size_t levels);

}  // namespace knapsack

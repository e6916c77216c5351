// How deep a TOML text nests, asked before it is parsed: the library parses, compares and frees nested tables
// by recursion, and every part of a dotted key is one more table. Pure; any bytes; any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace knapsack {

// What people write has four levels; a stack holds thousands.
inline constexpr size_t kMaxTomlDepth = 64;

// Whether tables and arrays may be more than `levels` deep inside each other anywhere. Never an
// underestimate.
bool toml_nests_deeper_than(std::string_view text, size_t levels);

}  // namespace knapsack

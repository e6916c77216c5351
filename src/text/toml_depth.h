// What a TOML text must not have, asked before it is parsed. The library parses, compares and frees nested tables by
// recursion, and every part of a dotted key is one more table; and what it does with a letter beyond ASCII outside of
// quotes and comments, where TOML knows none, is undefined. Pure; any bytes; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace knapsack {

// What people write has four levels; a stack holds thousands.
inline constexpr size_t kMaxTomlDepth = 64;

// Whether tables and arrays may be more than `levels` deep inside each other anywhere. Never an
// underestimate.
bool toml_nests_deeper_than(std::string_view text, size_t levels);

// Why a text is not given to the library, to stand behind its name and a colon; empty where it may be.
std::string toml_refusal(std::string_view text, size_t levels);

}  // namespace knapsack

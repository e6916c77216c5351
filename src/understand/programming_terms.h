// Words of programming in other languages, each with what code calls it: a dictionary of our own.
//
// Russian, Spanish, German and French stand there by their beginnings, Chinese and Japanese as they are written. A
// constant table; any thread.
// Private to understand/.
#pragma once

#include <span>
#include <string_view>

namespace knapsack {

struct ProgrammingTerm {
  std::string_view english;
  // Words apart by spaces.
  std::string_view russian, chinese, spanish, german, french, japanese;
};

std::span<const ProgrammingTerm> programming_terms();

}  // namespace knapsack

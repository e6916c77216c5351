// Where nothing is to be seen: blanks before a line, and texts of them alone. Pure functions.
#pragma once

#include <algorithm>
#include <string_view>

namespace knapsack {

// How many spaces and tabs a line begins with; all of it where there is nothing else.
inline size_t leading_blanks(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

// Nothing but blanks and line ends.
inline bool is_blank_text(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace knapsack

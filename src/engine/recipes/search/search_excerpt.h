// What a result of `search` shows of a file: the line that opens the definition around the match, and the
// lines that hold the query's words, each with its number. Pure functions.
// Private to engine/recipes/search/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "search/query/text_match.h"

namespace knapsack {

struct ExcerptPlace {
  uint32_t first = 1, last = 1;  // lines of the definition, or of the piece of text that matched
  uint32_t opener = 0;           // the line with its name; 0 where nothing is defined around the match
  uint32_t match = 1;            // where the words stand closest together
};

// Lines from 1; at most kMaxExcerptLines of them, in their order, joined by line feeds.
inline constexpr size_t kMaxExcerptLines = 4;
std::string code_excerpt(std::string_view file, const ExcerptPlace& place, const search::TextMatch& match);

}  // namespace knapsack

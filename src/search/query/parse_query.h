// parse_query: what a person types into a search box, as a query. Any text is one; none is an error.
//
//   budget packer        documents with either word, those with both first
//   "hard budget"        only documents that hold these words side by side
//   budget -test         no documents that hold "test"; also -"unit test"
//
// A quote that is never closed is a blank. A '-' excludes only before a letter or a quote and after a blank,
// so that "well-known", "--flag" and "-1" are words.
#pragma once

#include <string>
#include <string_view>

#include "search/query/query.h"
#include "search/query/text_filter.h"
#include "text/words/words.h"

namespace knapsack::search {

struct ParsedQuery {
  Query terms;  // each once, weight 1, in the order of the text; stop words only when there is nothing else
  TextFilter filter;
  std::string words;  // the text without what it excludes, for who reads its words otherwise
};

// `words` must be the options with which the fields were indexed.
ParsedQuery parse_query(std::string_view text, const WordOptions& words = {}, FieldMask fields = kAllFields);

}  // namespace knapsack::search

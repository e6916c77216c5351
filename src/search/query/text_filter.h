// TextFilter: what only the text itself can tell: that it holds a phrase, or that it lacks a word.
//
// Postings hold no positions, so phrases are checked on the few documents that rank highest.
// Private to search/query/.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "search/query/query.h"

namespace knapsack::search {

struct TextFilter {
  // Each a sequence of whole words, lower-cased and not stemmed; a text must hold all of `required`, one word
  // right after the other, and none of `excluded`.
  std::vector<std::vector<std::string>> required;
  std::vector<std::vector<std::string>> excluded;

  bool empty() const { return required.empty() && excluded.empty(); }
  bool accepts(std::string_view text) const;
};

// The words of a phrase as a filter compares them.
std::vector<std::string> phrase_words(std::string_view phrase);

using TextOf = std::function<Result<std::string>(const Hit&)>;

// The best k of the documents whose text the filter accepts. Asks for texts in the order of rank, and for no
// more than it takes to find k.
Result<std::vector<Hit>> top_k_filtered(const Index& index, const Query& query, const Scorer& scorer,
                                        size_t k, const TextFilter& filter, const TextOf& text_of);

}  // namespace knapsack::search

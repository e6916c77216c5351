#include "search/query/text_filter.h"

#include <algorithm>

#include "text/words/words.h"

namespace knapsack::search {
namespace {

bool holds(const std::vector<std::string>& words, const std::vector<std::string>& phrase) {
  return std::search(words.begin(), words.end(), phrase.begin(), phrase.end()) != words.end();
}

}  // namespace

std::vector<std::string> phrase_words(std::string_view phrase) {
  WordOptions options;
  options.emit_parts = false;
  return words_of(phrase, options);
}

bool TextFilter::accepts(std::string_view text) const {
  const std::vector<std::string> words = phrase_words(text);
  for (const auto& phrase : required) {
    if (!holds(words, phrase)) return false;
  }
  if (excluded.empty()) return true;
  const std::vector<std::string> with_parts = words_of(text);  // "-server" excludes HTTPServer as well
  for (const auto& phrase : excluded) {
    const bool one_word = phrase.size() == 1;
    if (holds(one_word ? with_parts : words, phrase)) return false;
  }
  return true;
}

Result<std::vector<Hit>> top_k_filtered(const Index& index, const Query& query, const Scorer& scorer,
                                        size_t k, const TextFilter& filter, const TextOf& text_of) {
  if (filter.empty()) return top_k(index, query, scorer, k);
  constexpr size_t kFirstTry = 64, kGrowth = 4;
  std::vector<Hit> accepted;
  size_t checked = 0;
  for (size_t wanted = std::max(kFirstTry, k); accepted.size() < k; wanted *= kGrowth) {
    KNAPSACK_TRY(std::vector<Hit> hits, top_k(index, query, scorer, wanted));
    // A longer list begins with the shorter one, whose texts were checked already.
    for (; checked < hits.size() && accepted.size() < k; ++checked) {
      KNAPSACK_TRY(const std::string text, text_of(hits[checked]));
      if (filter.accepts(text)) accepted.push_back(std::move(hits[checked]));
    }
    if (hits.size() < wanted) break;
  }
  return accepted;
}

}  // namespace knapsack::search

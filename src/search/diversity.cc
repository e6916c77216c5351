#include "search/diversity.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "text/words/stop_words.h"
#include "text/words/words.h"

namespace knapsack::search {

std::vector<size_t> diversify(std::span<const double> scores,
                              const std::function<double(size_t, size_t)>& similarity, double lambda) {
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const size_t moved = std::min(scores.size(), kMaxDiversified);
  if (moved < 2 || scores.front() <= 0) return order;
  std::vector<double> nearest(moved);  // to any that was taken
  for (size_t taken = 0; taken < moved; ++taken) {
    size_t best = taken;
    double most = 0;
    for (size_t at = taken; at < moved; ++at) {
      const size_t each = order[at];
      const double value = lambda * scores[each] / scores.front() - (1 - lambda) * nearest[each];
      if (at == taken || value > most) {
        best = at;
        most = value;
      }
    }
    // The others keep their order, so that equal values go by rank.
    std::rotate(order.begin() + static_cast<long>(taken), order.begin() + static_cast<long>(best),
                order.begin() + static_cast<long>(best) + 1);
    for (size_t at = taken + 1; at < moved; ++at)
      nearest[order[at]] = std::max(nearest[order[at]], similarity(order[taken], order[at]));
  }
  return order;
}

WordSet::WordSet(std::string_view text) {
  WordOptions options;
  options.emit_parts = false;
  options.stemming = Stemming::kByScript;
  WordReader reader(text, options);
  for (Word word; reader.next(word);) {
    if (!is_stop_word(word.text)) words_.push_back(XXH3_64bits(word.text.data(), word.text.size()));
  }
  std::sort(words_.begin(), words_.end());
  words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
}

double WordSet::similarity(const WordSet& other) const {
  if (words_.empty() || other.words_.empty()) return 0;
  size_t common = 0;
  for (auto a = words_.begin(), b = other.words_.begin(); a != words_.end() && b != other.words_.end();) {
    if (*a == *b) {
      ++common;
      ++a;
      ++b;
    } else if (*a < *b) {
      ++a;
    } else {
      ++b;
    }
  }
  return static_cast<double>(common) /
         std::sqrt(static_cast<double>(words_.size()) * static_cast<double>(other.words_.size()));
}

}  // namespace knapsack::search

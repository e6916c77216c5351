// Lexicon: which of a list of names a word belongs to, in English and Russian, whatever its ending.
//
// A table is text, one row a name: `caching: cache memoize кэш* ttl`. Words match by their stems, so "caches"
// is there with "cache", and never by a part of a word: "prefix" is no "fix". A word with '*' matches
// everything that begins with it, for Russian verbs whose stems vary. Read-only after construction; any
// thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace knapsack {

class Lexicon {
 public:
  explicit Lexicon(std::string_view table);

  const std::vector<std::string>& names() const { return names_; }
  // The rows that a lower-cased word stands in, as indexes into names(), in ascending order.
  std::vector<size_t> find(std::string_view word) const;
  bool holds(std::string_view word, std::string_view name) const;

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::vector<size_t>> stems_;
  std::unordered_map<std::string, std::vector<size_t>> prefixes_;
  std::vector<size_t> prefix_sizes_;  // ascending, each once
};

}  // namespace knapsack

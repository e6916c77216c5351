// UnitMemory: counts texts that are made of the same lines over and over, each line once.
//
// An exact count is dear, and a packer counts many drafts that differ in a few lines. Texts are cut where the
// units of an exact counter add up (text/tokens/token_counter.h), and what a cut was counted as is kept for the next
// text that holds the same bytes. The answer is always that of the counter itself. Serves one thread; counts
// by several.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "text/tokens/token_counter.h"

namespace knapsack {

class UnitMemory {
 public:
  explicit UnitMemory(const TokenCounter& counter) : counter_(counter) {}

  const TokenCounter& counter() const { return counter_; }
  uint64_t units(std::string_view text);
  // Of a text that holds `part` somewhere, whose units were counted before.
  uint64_t units_around(std::string_view text, std::string_view part, uint64_t part_units);
  // Counts in advance what these texts are made of, in parallel where there is enough of it.
  void learn(std::span<const std::string_view> texts);
  // What is left to count of a text that holds `part`: what stands before it and behind it where units add up
  // there, else all of it before nothing.
  std::pair<std::string_view, std::string_view> without(std::string_view text, std::string_view part) const;

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const;
  };
  using Memory = std::unordered_map<std::string, uint64_t, Hash, std::equal_to<>>;

  const TokenCounter& counter_;
  Memory memory_;
};

}  // namespace knapsack

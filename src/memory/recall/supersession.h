// Supersession: which memories a new one makes out of date, by rule. English and Russian.
//
// Two short memories speak of the same thing when the words that are neither values (numbers, days, names) nor signs
// of change ("now", "moved to", "теперь") are those of one of them, at least two of them in common; and they
// contradict each other when each has a value of the same kind that the other has not. A name counts where a thing has
// one holder ("owns", "отвечает за"), or where the new memory says that something changed; events ("failed on …") never
// contradict each other. The new one must not speak of an earlier day. A rule proposes and somebody decides: nothing
// here changes a memory. Pure functions; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "memory/tree/memory.h"

namespace knapsack::memory {

// A longer text is an account and makes no single claim.
inline constexpr size_t kLongestClaim = 400;  // bytes
inline constexpr size_t kMaxContradicted = 3;

struct Contradiction {
  const Memory* memory = nullptr;
  std::string because;  // "both speak of billing, own: Anna there, Boris here"
  double fit = 0;       // share of the longer one's words that both have
};

// What `fresh`, which is not among them, would supersede: active memories of its namespace, the best fit first.
std::vector<Contradiction> find_contradicted(const Memory& fresh, std::span<const Memory> memories);

}  // namespace knapsack::memory

// What stands for a memory when meaning is compared: one or two texts, whose vectors are added.
//
// A memory inside a conversation or an episode means little without the one before and the one after it, so it is
// read with each of them; one that stands alone is read as it is. Who said it goes in, the date does not. Pure
// functions; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "memory/tree/memory.h"

namespace knapsack::memory {

struct MemoryPassages {
  std::string hash;                     // of both texts; empty: it has none
  std::optional<size_t> before, after;  // places of its neighbours
};

// Of each memory, in the order of Catalogue::memories(). Artifacts and memories that are not active have none and no
// part in their neighbours'.
std::vector<MemoryPassages> passages_of(std::span<const Memory> memories);
// Whether two memories, one behind the other, are understood together: turns of one conversation, episodes of one day. Two
// facts of one day have nothing in common but that.
bool go_together(const Memory& a, const Memory& b);

// How many will have some, in no time.
size_t count_passages(std::span<const Memory> memories);

struct PassageTexts {
  std::string before;  // the one before and this …
  std::string after;   // … and this and the one after; the same where it stands alone
};
PassageTexts texts_of(std::span<const Memory> memories, size_t place, const MemoryPassages& passages);

// From similarities, one a memory, to 0 … 1: how far each is above the mean on the way to the best. What is not a
// number has none.
std::vector<double> nearness_of(std::span<const double> similarities);

}  // namespace knapsack::memory

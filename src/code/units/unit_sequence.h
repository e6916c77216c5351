// The sequence of a packet: the units in the order in which a growing budget shows them.
//
// A budget takes the longest beginning of it that fits, so a larger budget never shows less. It is made by a
// ladder: 1,000 tokens are filled with the best units that fit into them, then 2,000, 4,000 and so on, each
// rung keeping what the one below chose. The lower the rung, the closer to the best a unit must be to stand
// on it: else a small budget would be filled with small things. A unit that is too long for a rung is passed
// over there and comes on the first rung that can hold it. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "code/units/unit_constants.h"

namespace knapsack::code {

struct SequenceItem {
  uint32_t file = 0;
  double key = 0;     // of the order
  uint64_t cost = 0;  // tokens, estimated
  bool is_import = false;
};

// `items` are best first, imports behind the rest; the first `worthy` of them come before all others.
struct UnitSequence {
  std::vector<size_t> steps;  // items
  size_t until_stop = 0;  // steps that show the worthy ones; the others are for who wants the budget used up
};
UnitSequence sequence_units(std::span<const SequenceItem> items, size_t worthy,
                            const UnitConstants& constants = {});

}  // namespace knapsack::code

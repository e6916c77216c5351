// The sequence of a packet: the units in the order in which a growing budget shows them.
//
// A budget takes the longest beginning of it that fits, so a larger budget never shows less. It is made by a
// ladder: 1,000 tokens are filled with the best units that fit into them, then 2,000, 4,000 and so on, each
// rung keeping what the one below chose. A unit that is too long for a rung is passed over there and comes on
// the first rung that can hold it; where that is one of the very best, low rungs leave room for a part of it.
// What a fix changes beside its first place mostly stands nearby, so high rungs go deeper into what is shown
// already instead of further afield (rung_order.h).
//
// Costs are estimates at first. What may stand on a low rung is counted, once: a rung that is filled by
// guesses breaks off early or leaves room unused. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "code/units/unit_constants.h"

namespace knapsack::code {

// The very best: what is left to a part of them is theirs.
inline constexpr size_t kBestUnits = 3;
// A longer comment waits for its own turn, also where others come with their units.
inline constexpr uint64_t kLongCommentTokens = 400;

struct SequenceItem {
  uint32_t file = 0;
  uint64_t cost = 0;  // tokens, estimated
  bool is_import = false;
  // An item before it, without which it says nothing: the unit of a comment.
  std::optional<size_t> after = {};
  double key = 0;         // by which it came to its place; infinite: it stays there
  double file_score = 0;  // how much of that its file's score is
  uint32_t line = 0;      // where it begins; 0: beside nothing
};

// `items` are best first, imports behind the rest; the first `worthy` of them come before all others.
struct UnitSequence {
  std::vector<size_t> steps;  // items
  size_t until_stop = 0;  // steps that show the worthy ones; the others are for who wants the budget used up
};
// What an item really costs; nothing is counted where this is empty.
using CountCost = std::function<uint64_t(size_t item)>;
UnitSequence sequence_units(std::span<const SequenceItem> items, size_t worthy, const CountCost& count = {},
                            const UnitConstants& constants = {});

}  // namespace knapsack::code

// RelevanceFloor: from where on a memory that shares words with a prompt has anything to do with it.
//
// What a memory holds of the prompt (MemoryRanking::coverage) must reach a least share, and a share of what the best
// one holds: a prompt that nothing answers recalls nothing, and beside a good answer no poor ones are shown. What was
// said in a conversation speaks in fewer words than a note that somebody wrote to be found, so it may hold less.
// docs/recall.md has the figures that the constants were chosen by. Plain data and pure functions; any thread.
#pragma once

#include "memory/tree/memory.h"

namespace knapsack::memory {

inline constexpr double kDefaultFloor = 0.35;    // the least share; `recall.floor`
inline constexpr double kFloorOfBest = 0.6;      // of what the best memory holds
inline constexpr double kTurnFloor = 0.4;        // a turn's least share, against that of a note
inline constexpr double kTurnFloorOfBest = 0.3;  // … and its share of the best

// Said by somebody in a conversation.
inline bool is_turn(const Memory& memory) {
  return !memory.speaker.empty() && !memory.session.empty();
}

// Whether a memory that holds `share` of a prompt may be shown where the best one holds `best`. A least of 0: always.
inline bool reaches_floor(const Memory& memory, double share, double best, double least) {
  if (least <= 0) return true;
  const bool turn = is_turn(memory);
  return share >= least * (turn ? kTurnFloor : 1) && share >= best * (turn ? kTurnFloorOfBest : kFloorOfBest);
}

}  // namespace knapsack::memory

// The walk of graph_mode: from the memories that search has found to what happened around them.
//
// Four kinds of edges: links (either way), the same entity, the same box, and the memories just before and
// after in time. Each hop costs: what is reached has the score of where it was reached from × 0.5 × the
// strength of the edge, at most three hops away. Only eligible memories are passed through. The order is
// total, so the same memories give the same walk. A pure function; any thread.
// Private to memory/recall/.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "memory/tree/eligibility.h"
#include "memory/tree/memory.h"

namespace knapsack::memory {

inline constexpr int kMaxHops = 3;
inline constexpr double kHopDecay = 0.5;
// A stated link says more than a shared name, and that more than nearness in time.
inline constexpr double kEntityStrength = 0.6;
inline constexpr double kBoxStrength = 0.6;
inline constexpr double kTimeStrength = 0.4;
inline constexpr double kTellingLink = 0.5;  // a weaker link is a guess
// An entity or a box may have thousands of memories: those nearest in time are followed.
inline constexpr size_t kMaxOfEntity = 8;
inline constexpr size_t kMaxOfBox = 8;
inline constexpr size_t kMaxReached = 200;

struct WalkStart {
  const Memory* memory = nullptr;
  double score = 0;
};

struct WalkStep {
  const Memory* memory = nullptr;
  double score = 0;
  int hops = 0;         // 0: where the walk started
  double decay = 1;     // what all hops left of the score
  std::string how;      // "linked (causes) from fact-7": the last edge of the best way; empty at the start
  bool linked = false;  // somebody said that it belongs to one of those where the walk started
};

// Everything that was reached, each memory once by its best way: by score, then in the order of `memories`.
std::vector<WalkStep> walk_memories(std::span<const Memory> memories, const Eligibility& eligibility,
                                    const std::vector<WalkStart>& starts);

}  // namespace knapsack::memory

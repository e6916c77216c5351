// The score of a memory that search has found: a sum of named parts, each of which `--explain` shows.
//
//   search      s, its share of the best score of the search, 0 to 1; where an embedding model was asked, two
//               parts that add up to s: words and meaning
//   recency     w·(0.5^(age / 7 days) − s): together with the search part s·(1 − w) + w·0.5^(age / 7 days)
//   access      min(log10(n + 1) / 20, 0.1), n times recalled before
//   importance  (i − 0.4)·0.25; a memory without importance has the neutral 0.4
//   intent      boost·(0.5 goal + 0.3 action + 0.2 share of entity types in common)
//   feedback    min(0.15, 0.03·m) − min(0.25, 0.05·n), m times called useful and n times not
// Pure functions; any thread.
// Private to memory/recall/.
#pragma once

#include <optional>

#include "core/score.h"
#include "memory/tree/memory.h"

namespace knapsack::memory {

inline constexpr double kHalfLifeDays = 7;
inline constexpr double kAccessDivisor = 20;  // the limit is reached by a hundred accesses, not by the first
inline constexpr double kMaxForAccess = 0.1;
inline constexpr double kNeutralImportance = 0.4;
inline constexpr double kImportanceWeight = 0.25;
inline constexpr double kGoalShare = 0.5;
inline constexpr double kActionShare = 0.3;
inline constexpr double kEntityShare = 0.2;
inline constexpr double kFeedbackStep = 0.05;
inline constexpr double kMaxFeedback = 10;
inline constexpr double kMaxAgainst = 0.25;
inline constexpr double kUsefulStep = 0.03;
inline constexpr double kMaxFor = 0.15;

struct ScoreOptions {
  double recency_weight = 0.2;  // w; 0: age does not matter
  bool intent_routing = false;
  double intent_boost = 0.12;
};

// What the search gave a memory.
struct SearchShare {
  double words = 0;
  std::optional<double> meaning = std::nullopt;  // nothing: no embedding model was asked

  double total() const { return words + meaning.value_or(0); }
};

// What the request is after, worked out once (memory/tree/infer.h).
Score score_memory(const Memory& memory, const SearchShare& search, const Intent& request, Timestamp now,
                   const ScoreOptions& options);

// 0 to 1: how much what a memory is good for is what a request is after.
double intent_fit(const Intent& memory, const Intent& request);

}  // namespace knapsack::memory

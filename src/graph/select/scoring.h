// Scores of nodes: additive, from named parts, and one total order over them.
//
// Constants are those of the retrieval rules (docs/scoring.md). Pure functions of the graph, the entities and
// the time; any thread.
#pragma once

#include <string>
#include <vector>

#include "core/clock.h"
#include "graph/select/entities.h"
#include "graph/store/graph_index.h"

namespace knapsack::graph {

inline constexpr int kEntityScore = 5;      // the request is about it
inline constexpr int kByTaskScore = 4;      // referenced by a selected task
inline constexpr int kByDecisionScore = 3;  // referenced by an accepted decision
inline constexpr int kWeightyScore = 2;     // tagged or typed constraint or risk
inline constexpr int kDayScore = 2;         // updated within a day, or later than now
inline constexpr int kWeekScore = 1;        // within seven

struct NodeScore {
  int entity = 0, by_task = 0, by_decision = 0, weighty = 0, recency = 0;
  int total() const { return entity + by_task + by_decision + weighty + recency; }
  // Something beside its date speaks for it.
  bool is_candidate() const { return total() > recency; }
};

class Scores {
 public:
  Scores(const GraphIndex& index, const Entities& entities, Timestamp now);

  NodeScore of(uint32_t node) const;
  bool is_entity(uint32_t node) const { return (marks_[node] & kEntityMark) != 0; }
  // Every node that this task references gets its points for that.
  void select_task(uint32_t task);
  // Score, then the later update, then the smaller id.
  bool before(uint32_t a, uint32_t b) const;

 private:
  static constexpr uint8_t kEntityMark = 1, kByTaskMark = 2, kByDecisionMark = 4;

  const GraphIndex& index_;
  int64_t now_;
  std::vector<uint8_t> marks_;
};

}  // namespace knapsack::graph

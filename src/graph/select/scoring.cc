#include "graph/select/scoring.h"

namespace knapsack::graph {
namespace {

constexpr int64_t kDayMicros = int64_t{86'400} * 1'000'000;

int recency(int64_t updated, int64_t now) {
  if (updated == kNoTime) return 0;
  // A date in the future is as fresh as one of today. Not subtracted: dates may be far apart.
  if (updated >= now - kDayMicros) return kDayScore;
  return updated >= now - 7 * kDayMicros ? kWeekScore : 0;
}

}  // namespace

Scores::Scores(const GraphIndex& index, const Entities& entities, Timestamp now)
    : index_(index), now_(now.micros), marks_(index.size()) {
  for (const Entity& entity : entities.found) marks_[entity.node] |= kEntityMark;
  for (uint32_t node = 0; node < index.size(); ++node) {
    if (index.node(node).layer != Layer::kReasoning || index.node(node).state != State::kAccepted) continue;
    for (const Reference& reference : index.references(node)) {
      if (reference.target != node && reference.kind != ReferenceKind::kSupersedes)
        marks_[reference.target] |= kByDecisionMark;
    }
  }
}

void Scores::select_task(uint32_t task) {
  for (const Reference& reference : index_.references(task)) {
    if (reference.target != task) marks_[reference.target] |= kByTaskMark;
  }
}

NodeScore Scores::of(uint32_t node) const {
  const NodeRecord& record = index_.node(node);
  NodeScore score;
  score.entity = (marks_[node] & kEntityMark) != 0 ? kEntityScore : 0;
  score.by_task = (marks_[node] & kByTaskMark) != 0 ? kByTaskScore : 0;
  score.by_decision = (marks_[node] & kByDecisionMark) != 0 ? kByDecisionScore : 0;
  score.weighty = record.weighty != 0 ? kWeightyScore : 0;
  score.recency = recency(record.updated, now_);
  return score;
}

bool Scores::before(uint32_t a, uint32_t b) const {
  const int score_a = of(a).total(), score_b = of(b).total();
  if (score_a != score_b) return score_a > score_b;
  if (index_.node(a).updated != index_.node(b).updated)
    return index_.node(a).updated > index_.node(b).updated;
  return index_.id(a) < index_.id(b);
}

}  // namespace knapsack::graph

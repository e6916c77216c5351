#include "memory/recall_score.h"

#include <algorithm>
#include <cmath>

namespace knapsack::memory {
namespace {

constexpr double kMicrosPerDay = 86'400e6;

// 1 for now, halved every seven days, 0 for a memory without a date.
double freshness(const Memory& memory, Timestamp now) {
  const auto written = memory.updated ? memory.updated : memory.created;
  if (!written) return 0;
  const double days = std::max(0.0, static_cast<double>(now.micros - written->micros) / kMicrosPerDay);
  return std::exp2(-days / kHalfLifeDays);
}

}  // namespace

double intent_fit(const Intent& memory, const Intent& request) {
  double fit = 0;
  if (!request.goal.empty() && memory.goal == request.goal) fit += kGoalShare;
  if (!request.action_type.empty() && memory.action_type == request.action_type) fit += kActionShare;
  if (!request.entity_types.empty()) {
    const auto& types = request.entity_types;
    const auto shared = std::count_if(types.begin(), types.end(), [&](const std::string& type) {
      return std::find(memory.entity_types.begin(), memory.entity_types.end(), type) !=
             memory.entity_types.end();
    });
    fit += kEntityShare * static_cast<double>(shared) / static_cast<double>(types.size());
  }
  return fit;
}

Score score_memory(const Memory& memory, const SearchShare& search, const Intent& request, Timestamp now,
                   const ScoreOptions& options) {
  Score score;
  score.components.push_back({search.meaning ? "words" : "search", search.words});
  if (search.meaning) score.components.push_back({"meaning", *search.meaning});
  const auto add = [&](const char* name, double value) {
    if (value != 0) score.components.push_back({name, value});
  };
  if (options.recency_weight > 0)
    add("recency", options.recency_weight * (freshness(memory, now) - search.total()));
  add("access",
      std::min(std::log10(static_cast<double>(memory.access_count) + 1) / kAccessDivisor, kMostForAccess));
  add("importance",
      (memory.importance.value_or(kNeutralImportance) - kNeutralImportance) * kImportanceWeight);
  if (options.intent_routing) add("intent", options.intent_boost * intent_fit(memory.intent, request));
  add("feedback", -std::min(kMostAgainst,
                            kFeedbackStep * std::min(kMostFeedback, static_cast<double>(memory.not_useful))));
  for (const ScoreComponent& component : score.components) score.total += component.value;
  return score;
}

}  // namespace knapsack::memory

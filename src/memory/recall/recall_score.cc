#include "memory/recall/recall_score.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

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

// Trees that Engram wrote call the same things by other words.
std::span<const std::string_view> other_words(std::string_view word) {
  static constexpr std::string_view kStabilize[] = {"debug", "test"},
                                    kExecute[] = {"fix", "create", "change", "remove"}, kReview[] = {"check"},
                                    kSummarize[] = {"explain", "remind"}, kRepository[] = {"project"},
                                    kClient[] = {"person"}, kDocuments[] = {"file"},
                                    kOperations[] = {"service"}, kModels[] = {"tool"};
  struct Row {
    std::string_view word;
    std::span<const std::string_view> ours;
  };
  static constexpr Row kRows[] = {{"stabilize", kStabilize}, {"execute", kExecute}, {"review", kReview},
                                  {"summarize", kSummarize}, {"repo", kRepository}, {"client", kClient},
                                  {"docs", kDocuments},      {"ops", kOperations},  {"ai", kModels}};
  for (const Row& row : kRows) {
    if (row.word == word) return row.ours;
  }
  return {};
}

bool means(std::string_view written, std::string_view asked) {
  const auto ours = other_words(written);
  return written == asked || std::find(ours.begin(), ours.end(), asked) != ours.end();
}

}  // namespace

double intent_fit(const Intent& memory, const Intent& request) {
  double fit = 0;
  if (!request.goal.empty() && means(memory.goal, request.goal)) fit += kGoalShare;
  if (!request.action_type.empty() && means(memory.action_type, request.action_type)) fit += kActionShare;
  if (!request.entity_types.empty()) {
    const auto& types = request.entity_types;
    const auto shared = std::count_if(types.begin(), types.end(), [&](const std::string& type) {
      return std::any_of(memory.entity_types.begin(), memory.entity_types.end(),
                         [&](const std::string& written) { return means(written, type); });
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
      std::min(std::log10(static_cast<double>(memory.access_count) + 1) / kAccessDivisor, kMaxForAccess));
  add("importance",
      (memory.importance.value_or(kNeutralImportance) - kNeutralImportance) * kImportanceWeight);
  if (options.intent_routing) add("intent", options.intent_boost * intent_fit(memory.intent, request));
  const double against =
      std::min(kMaxAgainst, kFeedbackStep * std::min(kMaxFeedback, static_cast<double>(memory.not_useful)));
  add("feedback", std::min(kMaxFor, kUsefulStep * static_cast<double>(memory.useful)) - against);
  for (const ScoreComponent& component : score.components) score.total += component.value;
  return score;
}

}  // namespace knapsack::memory

// The constants that nobody sets but anybody may see.
#include <fmt/format.h>

#include "code/rank/ranking_constants.h"
#include "code/units/unit_constants.h"
#include "engine/settings/settings.h"
#include "graph/select/scoring.h"
#include "memory/recall/ranking_constants.h"
#include "notes/relevance.h"
#include "notes/sections.h"
#include "search/diversity.h"
#include "search/fusion.h"
#include "search/query/text_match.h"
#include "search/vectors/vector_file.h"
#include "stages/stage_constants.h"

namespace knapsack {

std::vector<SettingRow> constants() {
  std::vector<SettingRow> rows;
  const auto add = [&](std::string key, double value, std::string description) {
    rows.push_back({std::move(key), fmt::format("{}", value), "notes seed", std::move(description)});
  };
  for (const auto& step : notes::kRecencySteps) {
    add(fmt::format("notes.recency.{}_days", step.max_age_days), step.value,
        fmt::format("recency of an entry of at most {} days", step.max_age_days));
  }
  add("notes.recency.older", notes::kOldest, "recency of an older or undated entry");
  add("notes.relevance.saturation", notes::kRelevanceSaturation,
      "matched keywords that make a full relevance");
  const auto add_graph = [&](std::string key, double value, std::string description) {
    rows.push_back({std::move(key), fmt::format("{}", value), "graph rules", std::move(description)});
  };
  add("notes.full_share", notes::kFullShare, "share of a section's allowance that entries in full may take");
  add_graph("graph.score.entity", graph::kEntityScore, "the request is about the node");
  add_graph("graph.score.selected_task", graph::kByTaskScore, "a selected task references it");
  add_graph("graph.score.accepted_decision", graph::kByDecisionScore, "an accepted decision references it");
  add_graph("graph.score.constraint_or_risk", graph::kWeightyScore, "tagged or typed constraint or risk");
  add_graph("graph.score.day", graph::kDayScore, "updated within a day");
  add_graph("graph.score.week", graph::kWeekScore, "updated within seven days");
  add_graph("graph.entity.weight", graph::kEntityWeight,
            "what shared words must weigh, in idf of a unique word");
  add_graph("graph.entity.common_word", graph::kCommonWord,
            "below this share of that idf a word weighs nothing");
  add_graph("graph.entity.share_of_best", graph::kShareOfBest, "… and at least this share of the best match");
  const memory::RankingConstants memories{};
  for (const memory::RankingConstantRow& row : memory::ranking_constant_rows()) {
    rows.push_back({fmt::format("memory.ranking.{}", row.name), fmt::format("{}", memories.*row.value),
                    "measured", std::string(row.meaning)});
  }
  const code::RankingConstants ranking{};
  for (const code::RankingConstantRow& row : code::ranking_constant_rows()) {
    rows.push_back({fmt::format("code.ranking.{}", row.name), fmt::format("{}", ranking.*row.value),
                    "measured", std::string(row.meaning)});
  }
  const code::UnitConstants units{};
  for (const code::UnitConstantRow& row : code::unit_constant_rows()) {
    rows.push_back({fmt::format("code.units.{}", row.name), fmt::format("{}", units.*row.value), "measured",
                    std::string(row.meaning)});
  }
  for (const stages::StageConstantRow& row : stages::stage_constant_rows()) {
    rows.push_back({fmt::format("code.stages.{}", row.name), fmt::format("{}", row.value), "judged",
                    std::string(row.meaning)});
  }
  const std::pair<const char*, std::pair<double, const char*>> searches[] = {
      {"search.rerank.words_held", {search::kCoverageShare, "of a score, for a text that holds all words"}},
      {"search.rerank.words_close", {search::kProximityShare, "… for words that stand side by side"}},
      {"search.rerank.words_in_title", {search::kTitleShare, "… for a title that holds all words"}},
      {"search.rrf", {search::kReciprocalRankConstant, "added to each rank"}},
      {"search.mmr.lambda", {search::kDiversityLambda, "share of the score against similarity"}},
      {"search.vectors.same_space",
       {search::kSameSpace, "cosine of one text's vectors by one model, at least"}}};
  for (const auto& [key, value] : searches)
    rows.push_back({key, fmt::format("{:g}", value.first), "judged", value.second});
  return rows;
}

}  // namespace knapsack

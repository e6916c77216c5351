#include "understand/recall_planner.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

namespace knapsack {
namespace {

struct Row {
  std::string mode, rule, prompt;
};

std::vector<Row> read_rows() {
  std::ifstream file(KNAPSACK_SOURCE_DIR "/tests/fixtures/recall/planner.tsv");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find('\t'), second = line.find('\t', first + 1);
    rows.push_back(
        {line.substr(0, first), line.substr(first + 1, second - first - 1), line.substr(second + 1)});
  }
  return rows;
}

TEST(RecallPlanner, EveryPromptOfTheTableIsPlannedByTheRuleItNames) {
  const auto rows = read_rows();
  ASSERT_GE(rows.size(), 120U);
  std::set<std::string> rules;
  for (const Row& row : rows) {
    const RecallPlan plan = plan_recall(row.prompt);
    EXPECT_EQ(to_string(plan.mode), row.mode) << "'" << row.prompt << "' by '" << plan.words << "'";
    EXPECT_EQ(plan.rule, row.rule) << "'" << row.prompt << "' by '" << plan.words << "'";
    rules.insert(plan.rule);
  }
  EXPECT_EQ(rules.size(), 7U) << "the table has to show every rule";
}

TEST(RecallPlanner, AnAcknowledgementOfMoreThanEighteenCharactersIsOneNoMore) {
  EXPECT_EQ(plan_recall("thanks, thanks, ok").rule, "acknowledgement");  // 18
  EXPECT_EQ(plan_recall("thanks, thanks, okk").rule, "default");
  EXPECT_EQ(plan_recall("thanks, thanks, cool").rule, "default");  // 20
  EXPECT_EQ(plan_recall("спасибо, хорошо, да").rule, "default");   // 19, counted in letters, not bytes
  EXPECT_EQ(plan_recall("спасибо, хорошо да").rule, "acknowledgement");
}

TEST(RecallPlanner, AnOperationOfMoreThanAHundredCharactersIsATask) {
  const std::string verb = "run ";
  EXPECT_EQ(plan_recall(verb + std::string(kLongestOperation - verb.size(), 'x')).rule, "operation");
  EXPECT_EQ(plan_recall(verb + std::string(kLongestOperation - verb.size() + 1, 'x')).rule, "default");
}

TEST(RecallPlanner, TheWordsThatDecidedAreNamedAsThePromptHasThem) {
  EXPECT_EQ(plan_recall("So, What Happened to Redis?").words, "what happened");
  EXPECT_EQ(plan_recall("please run it").words, "run");
}

TEST(RecallPlanner, ModesHaveNamesThatCanBeReadBack) {
  for (const RecallMode mode :
       {RecallMode::kNone, RecallMode::kMinimal, RecallMode::kFull, RecallMode::kGraph}) {
    EXPECT_EQ(parse_recall_mode(to_string(mode)), mode);
  }
  EXPECT_EQ(parse_recall_mode("auto"), std::nullopt);
}

TEST(RecallPlanner, AnyBytesAreAPrompt) {
  EXPECT_EQ(plan_recall("\xff\xfe\xfd").mode, RecallMode::kNone);
  EXPECT_EQ(plan_recall(std::string(1'000'000, 'a')).mode, RecallMode::kFull);
}

}  // namespace
}  // namespace knapsack

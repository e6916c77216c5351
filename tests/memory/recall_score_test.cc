#include "memory/recall/recall_score.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/support_recall.h"

namespace knapsack::memory {
namespace {

constexpr double kClose = 1e-12;

double part(const Score& score, const std::string& name) {
  for (const ScoreComponent& component : score.components) {
    if (component.name == name) return component.value;
  }
  return 0;
}

ScoreOptions no_recency() {
  ScoreOptions options;
  options.recency_weight = 0;
  return options;
}

Score scored(const Memory& memory, double search, const ScoreOptions& options, const Intent& request = {}) {
  const Score score = score_memory(memory, {search}, request, test_now(), options);
  double sum = 0;
  for (const ScoreComponent& component : score.components) sum += component.value;
  EXPECT_NEAR(score.total, sum, kClose) << "the parts have to add up";
  return score;
}

TEST(RecallScore, RecencyHalvesEverySevenDays) {
  Memory memory = note("a", "x");
  memory.created = days_ago(7);
  // 0.6·0.8 + 0.2·0.5
  EXPECT_NEAR(scored(memory, 0.6, {}).total, 0.58, kClose);
  memory.created = days_ago(14);
  EXPECT_NEAR(scored(memory, 0.6, {}).total, 0.48 + 0.2 * 0.25, kClose);
  memory.created = test_now();
  EXPECT_NEAR(scored(memory, 0.6, {}).total, 0.48 + 0.2, kClose);
  memory.created = days_ago(-3);  // a clock that was wrong
  EXPECT_NEAR(scored(memory, 0.6, {}).total, 0.48 + 0.2, kClose);
  memory.created.reset();
  EXPECT_NEAR(scored(memory, 0.6, {}).total, 0.48, kClose);
  EXPECT_NEAR(scored(memory, 0.6, no_recency()).total, 0.6, kClose);
}

TEST(RecallScore, AChangedMemoryIsAsFreshAsItsChange) {
  Memory memory = note("a", "x");
  memory.created = days_ago(700);
  memory.updated = days_ago(7);
  EXPECT_NEAR(scored(memory, 1, {}).total, 0.8 + 0.1, kClose);
}

TEST(RecallScore, AccessesAddUpToATenth) {
  Memory memory = note("a", "x");
  EXPECT_EQ(part(scored(memory, 0, no_recency()), "access"), 0);
  memory.access_count = 9;
  EXPECT_NEAR(part(scored(memory, 0, no_recency()), "access"), 0.05, kClose) << "the first do not use it up";
  memory.access_count = 1'000'000;
  EXPECT_NEAR(part(scored(memory, 0, no_recency()), "access"), 0.1, kClose);
}

TEST(RecallScore, ImportanceCountsFromTheNeutralFourTenths) {
  Memory memory = note("a", "x");
  EXPECT_EQ(part(scored(memory, 0, no_recency()), "importance"), 0);
  memory.importance = 0.9;
  EXPECT_NEAR(part(scored(memory, 0, no_recency()), "importance"), 0.125, kClose);
  memory.importance = 0.0;
  EXPECT_NEAR(part(scored(memory, 0, no_recency()), "importance"), -0.1, kClose);
}

TEST(RecallScore, UsefulVotesRaiseAMemoryAndOthersLowerIt) {
  Memory memory = note("a", "x");
  memory.useful = 2;
  EXPECT_NEAR(part(scored(memory, 0, no_recency()), "feedback"), 0.06, kClose);
  memory.not_useful = 2;
  EXPECT_NEAR(part(scored(memory, 0, no_recency()), "feedback"), -0.04, kClose);
  memory.useful = 1000;
  memory.not_useful = 0;
  EXPECT_NEAR(part(scored(memory, 0, no_recency()), "feedback"), 0.15, kClose);
}

TEST(RecallScore, IntentsOfEngramsTreesCountByWhatTheyMean) {
  EXPECT_NEAR(intent_fit({"stabilize", "execute", {"repo"}}, {"debug", "fix", {"project"}}), 1, kClose);
  EXPECT_NEAR(intent_fit({"release", "review", {"client"}}, {"release", "check", {"person"}}), 1, kClose);
  EXPECT_NEAR(intent_fit({"stabilize", "", {}}, {"plan", "", {}}), 0, kClose);
}

TEST(RecallScore, FeedbackAgainstAMemoryHasALimit) {
  Memory memory = note("a", "x");
  memory.not_useful = 3;
  EXPECT_NEAR(part(scored(memory, 0, no_recency()), "feedback"), -0.15, kClose);
  memory.not_useful = 1000;
  EXPECT_NEAR(part(scored(memory, 0, no_recency()), "feedback"), -0.25, kClose);
}

TEST(RecallScore, IntentCountsOnlyWhenItIsSwitchedOn) {
  Memory memory = note("a", "x");
  memory.intent = {"debug", "fix", {"person", "project"}};
  const Intent request{"debug", "review", {"person", "file"}};
  EXPECT_EQ(part(scored(memory, 0, no_recency(), request), "intent"), 0);
  ScoreOptions routing = no_recency();
  routing.intent_routing = true;
  // 0.12·(0.5 goal + 0 action + 0.2·1/2 entity types)
  EXPECT_NEAR(part(scored(memory, 0, routing, request), "intent"), 0.12 * 0.6, kClose);
  EXPECT_NEAR(intent_fit(memory.intent, memory.intent), 1, kClose);
  EXPECT_EQ(intent_fit({}, {}), 0) << "nothing in common with nothing";
}

TEST(RecallScore, AllPartsTogether) {
  Memory memory = note("a", "x");
  memory.created = days_ago(7);
  memory.access_count = 9;
  memory.importance = 0.8;
  memory.not_useful = 1;
  // 0.5·0.8 + 0.2·0.5 + 0.05 + 0.1 − 0.05
  EXPECT_NEAR(scored(memory, 0.5, {}).total, 0.6, kClose);
}

}  // namespace
}  // namespace knapsack::memory

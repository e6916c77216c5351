// Joining lists, how words stand in a text, and keeping repetitions down.
#include "search/fusion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/diversity.h"
#include "search/query/text_match.h"

namespace knapsack::search {
namespace {

using ::testing::ElementsAre;

std::vector<uint32_t> items(const std::vector<FusedItem>& fused) {
  std::vector<uint32_t> items;
  for (const FusedItem& each : fused) items.push_back(each.item);
  return items;
}

TEST(Fusion, SumsScoresAsSharesOfTheBestOfTheirList) {
  const std::vector<FusionList> lists = {{{{7, 40}, {8, 20}}, 1}, {{{8, 0.9}, {9, 0.45}}, 1}};
  const auto fused = fuse(lists, Fusion::kSum);
  ASSERT_THAT(items(fused), ElementsAre(8, 7, 9));
  EXPECT_DOUBLE_EQ(fused[0].score, 0.75);  // half of 0.5 and half of 1
  EXPECT_DOUBLE_EQ(fused[1].score, 0.5);
  EXPECT_DOUBLE_EQ(fused[2].score, 0.25);
  EXPECT_THAT(fused[0].parts, ElementsAre(0.25, 0.5));
}

TEST(HybridFusion, AListCountsByItsWeightAndByHowFarItsBestIsToBeTrusted) {
  const std::vector<ScoredItem> words = {{1, 30}, {2, 15}}, meaning = {{2, 0.8}, {3, 0.4}};
  const auto fused = fuse_hybrid(words, meaning, {Fusion::kSum, 0.25, 0.5});
  ASSERT_THAT(items(fused), ElementsAre(2, 1, 3));
  // ¾ · ½ of the best · ½ trusted, and ¼ · all of the best · 0.8
  EXPECT_THAT(fused[0].parts, ElementsAre(0.1875, ::testing::DoubleEq(0.2)));
  EXPECT_DOUBLE_EQ(fused[0].score, 0.3875);
  EXPECT_DOUBLE_EQ(fused[1].score, 0.375);
  EXPECT_DOUBLE_EQ(fused[2].score, 0.1);
}

TEST(HybridFusion, WhereOneListIsEmptyTheOtherHasAllTheWeight) {
  EXPECT_DOUBLE_EQ(fuse_hybrid({{1, 30}}, {}, {Fusion::kSum, 0.25, 1})[0].score, 1);
  EXPECT_DOUBLE_EQ(fuse_hybrid({}, {{1, 0.6}}, {Fusion::kSum, 0.25, 1})[0].score, 0.6);
  EXPECT_DOUBLE_EQ(fuse_hybrid({}, {{1, 0.6}}, {Fusion::kReciprocalRank, 0.25, 1})[0].score, 1);
  EXPECT_TRUE(fuse_hybrid({}, {}, {}).empty());
}

TEST(Fusion, ReciprocalRanksIgnoreHowMuchBetterAScoreIs) {
  const std::vector<FusionList> near = {{{{1, 1.01}, {2, 1.00}}, 1}, {{{2, 5}, {1, 4.99}}, 1}};
  std::vector<FusionList> far = near;
  far[0].items[0].score = 1000;
  EXPECT_EQ(fuse(near, Fusion::kReciprocalRank)[0].score, fuse(far, Fusion::kReciprocalRank)[0].score);
  const auto fused = fuse(near, Fusion::kReciprocalRank);
  EXPECT_THAT(items(fused), ElementsAre(1, 2)) << "equal scores go by item";
  EXPECT_DOUBLE_EQ(fused[0].score, (61.0 / 61 + 61.0 / 62) / 2);
}

TEST(Fusion, WhatEveryListHasFirstScoresOne) {
  for (const Fusion how : {Fusion::kSum, Fusion::kReciprocalRank}) {
    const std::vector<FusionList> lists = {{{{3, 12}}, 0.3}, {{{3, 0.1}, {4, 0.05}}, 0.7}};
    EXPECT_DOUBLE_EQ(fuse(lists, how)[0].score, 1);
  }
}

TEST(Fusion, AnEmptyListOrOneWithoutWeightTakesNoPart) {
  for (const Fusion how : {Fusion::kSum, Fusion::kReciprocalRank}) {
    const std::vector<FusionList> lists = {{{}, 1}, {{{4, 3}, {5, 1}}, 1}, {{{9, 1}}, 0}};
    const auto fused = fuse(lists, how);
    ASSERT_THAT(items(fused), ElementsAre(4, 5));
    EXPECT_DOUBLE_EQ(fused[0].score, 1);
  }
  EXPECT_TRUE(fuse({}, Fusion::kSum).empty());
}

TEST(Fusion, WeightsDecideBetweenLists) {
  const auto first = [](double weight) {
    const std::vector<FusionList> lists = {{{{1, 1}}, weight}, {{{2, 1}}, 1 - weight}};
    return fuse(lists, Fusion::kSum)[0].item;
  };
  EXPECT_EQ(first(0.8), 1U);
  EXPECT_EQ(first(0.2), 2U);
}

TEST(TextMatch, MeasuresCoverageTitleAndHowCloseTheWordsStand) {
  const TextMatch match("hard token budgets");
  const auto close = match.measure("The hard limit", "A token budget is spent once.");
  EXPECT_DOUBLE_EQ(close.coverage, 1);
  EXPECT_DOUBLE_EQ(close.title, 1.0 / 3);
  EXPECT_DOUBLE_EQ(close.proximity, 2.0 / 3);  // both words of the text side by side, of three
  const auto apart = match.measure("", "A token may be spent when there is still a part of the budget left.");
  EXPECT_LT(apart.proximity, close.proximity / 2);
  EXPECT_GT(apart.proximity, 0);
  const auto none = match.measure("", "nothing of the kind");
  EXPECT_EQ(none.coverage + none.proximity + none.title, 0);
}

TEST(TextMatch, FindsTheShortestStretchThatHoldsEveryWord) {
  const std::string text =
      "alpha one two beta three gamma four alpha beta five gamma gamma six beta alpha gamma";
  const auto matched = TextMatch("alpha beta gamma").measure("", text);
  EXPECT_EQ(text.substr(matched.begin, matched.end - matched.begin), "beta alpha gamma");
  EXPECT_DOUBLE_EQ(matched.proximity, 1);
}

TEST(TextMatch, PartsOfIdentifiersStandInOnePlace) {
  const auto matched = TextMatch("token budget").measure("", "int parseTokenBudget();");
  EXPECT_DOUBLE_EQ(matched.coverage, 1);
  EXPECT_GT(matched.proximity, 0.5);
}

TEST(TextMatch, ExcludedWordsAreNoWordsOfTheQuery) {
  EXPECT_EQ(TextMatch("budget -test -\"unit test\"").words(), 1U);
}

TEST(TextMatch, RerankAddsNamedPartsAndNothingForTextsWithoutWords) {
  Score score{2, {{"words", 2}}};
  rerank_score(score, {1, 0.5, 0.5, 0, 0});
  EXPECT_DOUBLE_EQ(score.total, 2 + 2 * (0.3 + 0.05 + 0.1));
  double sum = 0;
  for (const ScoreComponent& part : score.components) sum += part.value;
  EXPECT_DOUBLE_EQ(sum, score.total);
  Score same{2, {}};
  rerank_score(same, {});
  EXPECT_DOUBLE_EQ(same.total, 2);
}

TEST(Excerpt, ShowsTheClosestGroupOnOneLineOfBoundedLength) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "filler words\n\t ";
  text += "the hard budget holds";
  for (int i = 0; i < 100; ++i) text += " more filler";
  const std::string line = excerpt(text, TextMatch("hard budget").measure("", text), 60);
  EXPECT_THAT(line, ::testing::HasSubstr("hard budget"));
  EXPECT_THAT(line, ::testing::StartsWith("…"));
  EXPECT_THAT(line, ::testing::EndsWith("…"));
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_LE(line.size(), 60U + 2 * std::string("…").size());
}

TEST(Excerpt, TakesAnyBytesAndEmptyTexts) {
  EXPECT_EQ(excerpt("", {}, 10), "");
  EXPECT_EQ(excerpt("short", {}, 10), "short");
  const std::string cut = excerpt("\xff\xfe ab", TextMatch("ab").measure("", "\xff\xfe ab"), 10);
  EXPECT_THAT(cut, ::testing::HasSubstr("ab"));
  const std::string russian = excerpt("жёсткий бюджет токенов", {}, 7);
  EXPECT_EQ(russian, "жёсткий…");
}

TEST(Diversity, MovesARepetitionBehindSomethingElse) {
  const std::vector<double> scores = {1, 0.95, 0.9};
  const auto alike = [](size_t a, size_t b) { return a + b == 1 ? 1.0 : 0.0; };  // the first two
  EXPECT_THAT(diversify(scores, alike, 0.7), ElementsAre(0, 2, 1));
  EXPECT_THAT(diversify(scores, alike, 1), ElementsAre(0, 1, 2)) << "λ = 1 is the order as it was";
}

TEST(Diversity, NothingIsLostAndEqualOnesKeepTheirOrder) {
  const std::vector<double> scores(200, 0.5);
  const auto order = diversify(scores, [](size_t, size_t) { return 0.0; });
  ASSERT_EQ(order.size(), 200U);
  for (size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i);
}

TEST(WordSet, ComparesTextsByWhatTheySay) {
  const WordSet text("We chose SQLite for the state");
  EXPECT_DOUBLE_EQ(text.similarity(WordSet("for STATE: we chose sqlite, we chose")), 1);
  EXPECT_EQ(text.similarity(WordSet("Nothing in common")), 0);
  EXPECT_EQ(text.similarity(WordSet("")), 0);
  const double part = text.similarity(WordSet("SQLite is a database"));
  EXPECT_GT(part, 0);
  EXPECT_LT(part, 1);
}

}  // namespace
}  // namespace knapsack::search

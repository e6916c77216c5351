// What is embedded of a memory, and what similarity does to the order.
#include "memory/recall/passages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "memory/support_recall.h"

namespace knapsack::memory {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(MemoryPassages, AreReadWithTheOneBeforeAndTheOneAfter) {
  const std::vector<Memory> memories = {turn("a", "s", 0, "Anna", "Hello."),
                                        turn("b", "s", 1, "Boris", "Hi."), turn("c", "s", 2, "Anna", "Bye."),
                                        turn("d", "t", 0, "Anna", "Again.")};
  const auto passages = passages_of(memories);
  const auto texts = [&](size_t place) { return texts_of(memories, place, passages[place]); };
  EXPECT_EQ(texts(0).before, "Anna: Hello.");
  EXPECT_EQ(texts(0).after, "Anna: Hello.\nBoris: Hi.");
  EXPECT_EQ(texts(1).before, "Anna: Hello.\nBoris: Hi.");
  EXPECT_EQ(texts(1).after, "Boris: Hi.\nAnna: Bye.");
  EXPECT_EQ(texts(2).after, "Anna: Bye.") << "the next one is of another session";
  EXPECT_EQ(texts(3).before, texts(3).after);
  EXPECT_EQ(count_passages(memories), 4U);
}

TEST(MemoryPassages, OfFactsOfOneDayStandAlone) {
  std::vector<Memory> memories = {note("a", "The pipe leaks."), note("b", "Trains leave at nine.")};
  for (Memory& each : memories) each.session = "2026-11-01";
  const auto text_before_second = [&] { return texts_of(memories, 1, passages_of(memories)[1]).before; };
  EXPECT_EQ(text_before_second(), "Trains leave at nine.");
  for (Memory& each : memories) each.session = "move-to-the-coast";
  EXPECT_EQ(text_before_second(), "The pipe leaks.\nTrains leave at nine.")
      << "they were put into one session";
  for (Memory& each : memories) {
    each.session = "2026-11-01";
    each.kind = Kind::kEpisode;
  }
  EXPECT_EQ(text_before_second(), "The pipe leaks.\nTrains leave at nine.") << "episodes of a day";
}

TEST(MemoryPassages, WhatIsNotActiveHasNoPartInThem) {
  std::vector<Memory> memories = {turn("a", "s", 0, "Anna", "One."), turn("b", "s", 1, "Boris", "Two."),
                                  turn("c", "s", 2, "Anna", "Three.")};
  memories[1].status = Status::kForgotten;
  const auto passages = passages_of(memories);
  EXPECT_EQ(passages[1].hash, "");
  EXPECT_EQ(texts_of(memories, 0, passages[0]).after, "Anna: One.\nAnna: Three.");
  EXPECT_EQ(count_passages(memories), 2U);
}

TEST(MemoryPassages, AChangeOfANeighbourIsAChange) {
  std::vector<Memory> memories = {turn("a", "s", 0, "Anna", "One."), turn("b", "s", 1, "Boris", "Two.")};
  const std::string before = passages_of(memories)[0].hash;
  EXPECT_EQ(passages_of(memories)[0].hash, before);
  memories[1].text = "Three.";
  EXPECT_NE(passages_of(memories)[0].hash, before);
  memories[1].created = std::nullopt;
  memories[1].text = "Two.";
  EXPECT_EQ(passages_of(memories)[0].hash, before) << "the date is no part of it";
}

TEST(Nearness, IsTheWayFromTheMeanToTheBest) {
  const double none = std::nan("");
  EXPECT_THAT(nearness_of(std::vector<double>{0.5, 0.7, 0.9, none}), ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(nearness_of(std::vector<double>{0.7, none}), ElementsAre(1, 0));
  EXPECT_THAT(nearness_of({}), IsEmpty());
}

class SimilarityRanking : public ::testing::Test {
 protected:
  std::vector<std::string> ranked(const std::string& question, const std::map<std::string, double>& known,
                                  const RankingOptions& options = {}) const {
    std::vector<const Memory*> all;
    Similarities similarities;
    for (const Memory& memory : fixture_.memories()) all.push_back(&memory);
    for (const auto& [id, similarity] : known) similarities.emplace(&fixture_[id], similarity);
    auto ranking = MemoryRanking::open(fixture_.index(), all, options);
    EXPECT_OK(ranking);
    const auto order = ranking->rank(question, similarities);
    EXPECT_OK(order);
    std::vector<std::string> ids;
    for (const RankedMemory& each : order->ranked) {
      if (order->matched) ids.push_back(all[each.position]->id);
    }
    return ids;
  }

  RecallFixture fixture_{{note("pipe", "The pipe in the cellar leaks."), note("train", "The train was late."),
                          note("tea", "Tea is bought in March.")}};
};

TEST_F(SimilarityRanking, WhatStandsOutIsFoundWithoutAWord) {
  EXPECT_THAT(ranked("basement", {{"pipe", 0.85}, {"train", 0.72}, {"tea", 0.71}}), ElementsAre("pipe"));
  EXPECT_THAT(ranked("basement", {}), IsEmpty());
}

TEST_F(SimilarityRanking, WhereAllAreAlikeNothingFits) {
  EXPECT_THAT(ranked("basement", {{"pipe", 0.74}, {"train", 0.73}, {"tea", 0.72}}), IsEmpty());
}

TEST_F(SimilarityRanking, WordsAndMeaningAddUp) {
  const std::map<std::string, double> pipe_is_near = {{"pipe", 0.9}, {"train", 0.72}, {"tea", 0.7}};
  EXPECT_THAT(ranked("late train leaks", pipe_is_near), ElementsAre("pipe", "train"));
  EXPECT_THAT(ranked("late train leaks", {}), ElementsAre("train", "pipe"));
  EXPECT_THAT(ranked("late train", {{"pipe", 0.7}, {"train", 0.9}, {"tea", 0.72}}), ElementsAre("train"));
}

TEST_F(SimilarityRanking, CanBeSwitchedOff) {
  RankingOptions options;
  options.meaning = false;
  EXPECT_THAT(ranked("late train", {{"pipe", 0.9}, {"train", 0.7}, {"tea", 0.7}}, options),
              ElementsAre("train"));
}

}  // namespace
}  // namespace knapsack::memory

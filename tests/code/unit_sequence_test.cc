// The order in which a growing budget shows units.
#include "code/units/unit_sequence.h"

#include <algorithm>
#include <limits>
#include <random>

#include "support/support.h"

namespace knapsack::code {
namespace {

using ::testing::ElementsAre;

TEST(UnitSequence, TakesTheBestFirstAndWhatIsTooLongForASmallBudgetLater) {
  const std::vector<SequenceItem> items = {{0, 100}, {0, 3000}, {1, 200}};
  EXPECT_THAT(sequence_units(items, items.size()).steps, ElementsAre(0, 2, 1));
}

TEST(UnitSequence, LeavesRoomForAPartOfTheBestWhereAllOfItIsTooLong) {
  const std::vector<SequenceItem> items = {{0, 1200}, {0, 500}, {1, 300}};
  EXPECT_THAT(sequence_units(items, items.size()).steps, ElementsAre(1, 0, 2))
      << "both small ones would have filled a thousand tokens without a line of the best";
}

TEST(UnitSequence, LeavesRoomForAPartOfTheSecondBestToo) {
  const std::vector<SequenceItem> items = {{0, 300}, {0, 1900}, {1, 500}, {1, 700}, {1, 700}};
  EXPECT_THAT(sequence_units(items, items.size()).steps, ElementsAre(0, 2, 3, 1, 4))
      << "two thousand tokens hold no more than two of the small ones and a part of the long one";
}

TEST(UnitSequence, LeavesWhatTheBestLacksOnTheNextRung) {
  const std::vector<SequenceItem> items = {{0, 4336}, {1, 500}, {1, 2600}, {1, 500}};
  EXPECT_THAT(sequence_units(items, items.size()).steps, ElementsAre(1, 3, 0, 2))
      << "with the third on the rung of 4,000 tokens there would be no room for the best on that of 8,000";
  const std::vector<SequenceItem> too_long = {{0, 5500}, {1, 500}, {1, 2600}, {1, 500}};
  EXPECT_THAT(sequence_units(too_long, too_long.size()).steps, ElementsAre(1, 3, 2, 0))
      << "half of a rung would be left empty for it";
}

TEST(UnitSequence, ACommentComesOnlyBehindItsUnit) {
  const std::vector<SequenceItem> items = {{0, 1200}, {0, 100, false, 0}, {1, 300}};
  EXPECT_THAT(sequence_units(items, items.size()).steps, ElementsAre(2, 0, 1))
      << "there is room for the comment before there is room for what it tells of";
}

TEST(UnitSequence, NothingIsLeftToAPartOfAComment) {
  const std::vector<SequenceItem> items = {{0, 200}, {0, 2000, false, 0}, {1, 300}, {1, 350}};
  EXPECT_THAT(sequence_units(items, items.size()).steps, ElementsAre(0, 2, 3, 1))
      << "a comment that is too long takes no room from the code behind it";
}

TEST(UnitSequence, ACommentComesWithItsUnitWhereThereIsRoomForBoth) {
  const std::vector<SequenceItem> items = {{0, 200}, {0, 3000}, {0, 1800, false, 0}};
  EXPECT_THAT(sequence_units(items, items.size()).steps, ElementsAre(0, 2, 1));
  UnitConstants never;
  never.comments_from = 1e9;
  EXPECT_THAT(sequence_units(items, items.size(), {}, never).steps, ElementsAre(0, 1, 2));
}

// A unit of file 0 or 1 that begins at a line, with a key and what its file's score gave it.
SequenceItem unit_at(uint32_t file, uint32_t line, uint64_t cost, double key, double file_score = 0) {
  return {file, cost, false, {}, key, file_score, line};
}

TEST(UnitSequence, FromFourThousandTokensOnWhatStandsBesideAShownUnitComesFirst) {
  const std::vector<SequenceItem> items = {unit_at(0, 50, 800, 3), unit_at(1, 10, 2500, 2.0),
                                           unit_at(0, 90, 2500, 1.8), unit_at(0, 20, 2500, 1.7)};
  EXPECT_THAT(sequence_units(items, items.size()).steps, ElementsAre(0, 2, 3, 1));
  std::vector<SequenceItem> elsewhere = items;
  for (SequenceItem& item : elsewhere) item.line = 0;
  EXPECT_THAT(sequence_units(elsewhere, elsewhere.size()).steps, ElementsAre(0, 1, 2, 3));
}

TEST(UnitSequence, BelowFourThousandTokensItDoesNot) {
  const std::vector<SequenceItem> items = {unit_at(0, 50, 500, 3), unit_at(1, 10, 300, 2.0),
                                           unit_at(0, 90, 300, 1.8)};
  EXPECT_THAT(sequence_units(items, items.size()).steps, ElementsAre(0, 1, 2));
}

TEST(UnitSequence, FromEightThousandTokensOnAGoodFileCountsTwice) {
  const std::vector<SequenceItem> items = {unit_at(0, 10, 900, 3, 1), unit_at(1, 10, 4000, 2.0, 0.1),
                                           unit_at(2, 10, 4000, 1.9, 0.9)};
  EXPECT_THAT(sequence_units(items, items.size()).steps, ElementsAre(0, 2, 1));
  UnitConstants never;
  never.deeper = 0;
  EXPECT_THAT(sequence_units(items, items.size(), {}, never).steps, ElementsAre(0, 1, 2));
}

TEST(UnitSequence, WhatIsToComeFirstStaysFirst) {
  const double first = std::numeric_limits<double>::infinity();
  const std::vector<SequenceItem> items = {unit_at(0, 10, 5000, first), unit_at(1, 10, 5000, 2.0, 1),
                                           unit_at(1, 60, 5000, 1.9, 1)};
  EXPECT_THAT(sequence_units(items, items.size()).steps, ElementsAre(0, 1, 2));
}

TEST(UnitSequence, CountsWhatMayStandOnALowRung) {
  const std::vector<SequenceItem> items = {{0, 1200}, {0, 300}, {1, 5000}, {1, 900'000}};
  const std::vector<uint64_t> counted = {700, 300, 5000, 0};
  std::vector<size_t> asked;
  const auto count = [&](size_t item) {
    asked.push_back(item);
    return counted[item];
  };
  EXPECT_THAT(sequence_units(items, items.size(), count).steps, ElementsAre(0, 1, 2, 3))
      << "by its estimate the first would have come behind the second";
  EXPECT_THAT(asked, ElementsAre(0, 1, 2)) << "each once, and nothing that cannot fit anyway";
}

TEST(UnitSequence, EndsTheWorthyOnesBeforeAnyOther) {
  const std::vector<SequenceItem> items = {{0, 100}, {0, 9000}, {1, 10}};
  const UnitSequence sequence = sequence_units(items, 2);
  EXPECT_THAT(sequence.steps, ElementsAre(0, 1, 2));
  EXPECT_EQ(sequence.until_stop, 2U);
}

TEST(UnitSequence, ShowsTheImportsOfTheFirstFileWhereTheBudgetIsToBeUsedUp) {
  const std::vector<SequenceItem> items = {{0, 5000}, {1, 10}, {0, 30, true}, {0, 30, true}, {0, 30, true}};
  const UnitSequence sequence = sequence_units(items, 1);
  EXPECT_EQ(sequence.until_stop, 1U);
  EXPECT_THAT(sequence.steps, ElementsAre(0, 2, 3, 1));
}

TEST(UnitSequence, HoldsEveryUnitExactlyOnce) {
  std::mt19937 random(20261116);
  for (int n = 0; n < 500; ++n) {
    std::vector<SequenceItem> items(1 + random() % 60);
    for (SequenceItem& item : items) {
      item.file = random() % 5;
      item.cost = 5 + random() % (random() % 10 == 0 ? 20'000 : 400);
      item.key = static_cast<double>(random() % 100) / 10;
      item.file_score = static_cast<double>(item.file) / 5;
      item.line = random() % 200;
    }
    const size_t worthy = random() % (items.size() + 1);
    const auto count = [&](size_t item) { return items[item].cost * (8 + item % 5) / 10; };
    const UnitSequence sequence = sequence_units(items, worthy, count);
    EXPECT_EQ(sequence.until_stop, worthy);
    std::vector<size_t> sorted = sequence.steps;
    std::sort(sorted.begin(), sorted.end());
    for (size_t i = 0; i < items.size(); ++i) ASSERT_EQ(sorted.at(i), i);
    for (size_t i = 0; i < worthy; ++i) ASSERT_LT(sequence.steps[i], worthy);
  }
}

TEST(UnitSequence, OfNothingIsNothing) {
  EXPECT_TRUE(sequence_units({}, 0).steps.empty());
}

}  // namespace
}  // namespace knapsack::code

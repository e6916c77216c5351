// The order in which a growing budget shows units.
#include "code/units/unit_sequence.h"

#include <algorithm>
#include <random>

#include "support/support.h"

namespace knapsack::code {
namespace {

using ::testing::ElementsAre;

TEST(UnitSequence, TakesTheBestFirstAndWhatIsTooLongForASmallBudgetLater) {
  const std::vector<SequenceItem> items = {{0, 5.0, 3000}, {0, 4.9, 100}, {1, 4.8, 200}};
  EXPECT_THAT(sequence_units(items, items.size()).steps, ElementsAre(1, 2, 0));
}

TEST(UnitSequence, DoesNotFillASmallBudgetWithWhatIsFarBelowTheBest) {
  const std::vector<SequenceItem> items = {{0, 5.0, 1200}, {0, 3.5, 50}, {1, 3.2, 50}};
  EXPECT_THAT(sequence_units(items, items.size()).steps, ElementsAre(0, 1, 2))
      << "a thousand tokens show the most telling lines of the best instead";
}

TEST(UnitSequence, EndsTheWorthyOnesBeforeAnyOther) {
  const std::vector<SequenceItem> items = {{0, 5.0, 100}, {0, 3.1, 9000}, {1, 2.0, 10}};
  const UnitSequence sequence = sequence_units(items, 2);
  EXPECT_THAT(sequence.steps, ElementsAre(0, 1, 2));
  EXPECT_EQ(sequence.until_stop, 2U);
}

TEST(UnitSequence, ShowsTheImportsOfTheFirstFileWhereTheBudgetIsToBeUsedUp) {
  const std::vector<SequenceItem> items = {
      {0, 5.0, 5000}, {1, 2.0, 10}, {0, 0, 30, true}, {0, 0, 30, true}, {0, 0, 30, true}};
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
      item.key = static_cast<double>(random() % 600) / 100;
      item.cost = 5 + random() % (random() % 10 == 0 ? 20'000 : 400);
    }
    std::sort(items.begin(), items.end(), [](const auto& a, const auto& b) { return a.key > b.key; });
    const size_t worthy = random() % (items.size() + 1);
    const UnitSequence sequence = sequence_units(items, worthy);
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

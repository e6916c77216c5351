// Units that say again what better ones say.
#include "code/units/unit_repeats.h"

#include <fmt/format.h>

#include "support/support.h"

namespace knapsack::code {
namespace {

using ::testing::ElementsAre;

// Methods of nine lines that hand their parameters on under another name, then one that does something else.
class UnitRepeats : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int n = 0; n < 6; ++n) {
      text_ += fmt::format(
          "def send_{0}(\n    self: Client,\n    url: Address,\n    timeout: Seconds,\n    headers: "
          "Headers,\n"
          "    cookies: Cookies,\n    follow: bool = True,\n    retries: int = 0,\n): return "
          "self.send('{0}')\n",
          n);
    }
    text_ +=
        "def follow_redirects(response):\n    location = response.headers\n    raise NotSeen(location)\n";
    lines_ = TextLines(text_);
    for (uint32_t n = 0; n < 6; ++n) add({9 * n + 1, 9 * n + 9}, 5 - 0.01 * n);
    add({55, 57}, 4.5);
  }

  void add(LineRange lines, double key) {
    RankedUnit unit;
    unit.unit.lines = lines;
    unit.key = unit.score.total = key;
    unit.by_words = 2;
    units_.push_back(unit);
  }

  std::vector<uint32_t> order() const {
    std::vector<uint32_t> first;
    for (const RankedUnit& unit : ranked()) first.push_back(unit.unit.lines.first);
    return first;
  }
  std::vector<RankedUnit> ranked() const {
    return with_repeats_behind(units_, [&](const RankedUnit&) -> const TextLines& { return lines_; }, {});
  }

  std::string text_;
  TextLines lines_{""};
  std::vector<RankedUnit> units_;
};

TEST_F(UnitRepeats, AThirdOfAKindComesBehindWhatIsNew) {
  EXPECT_THAT(order(), ElementsAre(1, 10, 55, 19, 28, 37, 46));
}

TEST_F(UnitRepeats, TheLossIsAPartOfTheScore) {
  const std::vector<RankedUnit> units = ranked();
  ASSERT_FALSE(units[3].score.components.empty());
  EXPECT_EQ(units[3].score.components.back().name, "repeat");
  EXPECT_NEAR(units[3].key, 4.98 + units[3].score.components.back().value, 1e-9);
  EXPECT_LT(units[3].key, units[2].key);
  EXPECT_TRUE(units[0].score.components.empty());
}

TEST_F(UnitRepeats, WhatTheTaskNamesKeepsItsPlace) {
  for (RankedUnit& unit : units_) unit.by_words = 0;
  EXPECT_THAT(order(), ElementsAre(1, 10, 19, 28, 37, 46, 55));
}

}  // namespace
}  // namespace knapsack::code

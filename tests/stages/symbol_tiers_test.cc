// Which units a packet shows, which it only names, and where it ends.
#include "stages/symbol_tiers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace knapsack::stages {
namespace {

using ::testing::ElementsAre;

SelectedSymbol function(const std::string& name, double key, const std::vector<std::string>& signals = {}) {
  SelectedSymbol unit;
  unit.path = "a.go";
  unit.kind = code::UnitKind::kFunction;
  unit.name = name;
  unit.signature_line = 1;
  unit.cost = 400;  // the least that is shown in any case
  unit.key = key;
  for (const std::string& signal : signals) unit.score.components.push_back({signal, 1});
  return unit;
}

std::map<std::string, SymbolTier> tiers(std::vector<SelectedSymbol> units) {
  StageContext context;
  context.symbols = std::move(units);
  sort_into_tiers(context, {});
  std::map<std::string, SymbolTier> tiers;
  for (const SelectedSymbol& unit : context.symbols) tiers[unit.name] = unit.tier;
  return tiers;
}

TEST(SymbolTiers, EndWhereUnitsAreFarBelowTheBest) {
  const auto made = tiers(
      {function("best", 8, {"words"}), function("near", 6.1, {"words"}), function("far", 5.9, {"words"})});
  EXPECT_EQ(made.at("near"), SymbolTier::kPrimary);
  EXPECT_EQ(made.at("far"), SymbolTier::kSupporting);
}

TEST(SymbolTiers, GoOnForAFunctionThatTheTaskCallsByItsName) {
  const auto made =
      tiers({function("best", 8, {"words"}), function("far", 5.2, {"words"}),
             function("called", 5.1, {"words", "name"}), function("with its class", 5.1, {"dotted name"}),
             function("too far", 4.9, {"name"})});
  EXPECT_EQ(made.at("called"), SymbolTier::kPrimary);
  EXPECT_EQ(made.at("with its class"), SymbolTier::kPrimary);
  EXPECT_EQ(made.at("far"), SymbolTier::kSupporting);
  EXPECT_EQ(made.at("too far"), SymbolTier::kSupporting);
}

TEST(SymbolTiers, DoNotGoOnForWhatHasNoBody) {
  SelectedSymbol type = function("type", 5.5, {"name"});
  type.kind = code::UnitKind::kType;
  const auto made =
      tiers({function("best", 8, {"words"}), function("declared", 5.5, {"name", "declared"}), type});
  EXPECT_EQ(made.at("declared"), SymbolTier::kSupporting);
  EXPECT_EQ(made.at("type"), SymbolTier::kSupporting);
}

TEST(SymbolTiers, NameWhatTheBestFilesHaveThatHaveNothingElse) {
  std::vector<SelectedSymbol> units = {function("best", 8, {"words"})};
  for (int i = 0; i < 40; ++i) {
    units.push_back(function("next " + std::to_string(i), 5.9, {"words"}));
    units.back().path = "next" + std::to_string(i / 10) + ".go";
  }
  const auto elsewhere = [&](const std::string& path, const std::string& name, double place) {
    SelectedSymbol unit = function(name, 3, {"words"});
    unit.path = path;
    unit.score.components.push_back({"file place", place});
    units.push_back(std::move(unit));
  };
  for (const std::string name : {"first", "second", "third"}) elsewhere("b.go", name, 0.75);
  elsewhere("c.go", "far", 0.25);
  const auto made = tiers(units);
  EXPECT_EQ(made.at("next 39"), SymbolTier::kSupporting);
  EXPECT_EQ(made.at("first"), SymbolTier::kSupporting);
  EXPECT_EQ(made.at("second"), SymbolTier::kSupporting);
  EXPECT_EQ(made.at("third"), SymbolTier::kExcluded);
  EXPECT_EQ(made.at("far"), SymbolTier::kExcluded);
}

// Of the class that line 3 opens.
SelectedSymbol method(const std::string& name, double key, double owner) {
  SelectedSymbol unit = function(name, key, {"words"});
  unit.opener = {3, 3};
  if (owner > 0) unit.score.components.push_back({"owner", owner});
  return unit;
}

TEST(SymbolTiers, ShowAllOfANamedClassWhereMostOfItIsShown) {
  StageContext context;
  context.symbols = {method("first", 8, 0.5), method("second", 7, 0.5), method("far", 2, 0.5)};
  sort_into_tiers(context, {});
  EXPECT_EQ(context.symbols[2].tier, SymbolTier::kPrimary);
  EXPECT_EQ(context.symbols[2].reason, "with the rest of its class, which the task names");
}

TEST(SymbolTiers, ShowPartOfAClassThatIsNotNamedOrOfWhichLittleIsShown) {
  EXPECT_EQ(tiers({method("first", 8, 0), method("second", 7, 0), method("far", 4, 0)}).at("far"),
            SymbolTier::kSupporting);
  EXPECT_EQ(tiers({method("first", 8, 0.15), method("second", 7, 0.15), method("far", 2, 0.15)}).at("far"),
            SymbolTier::kSupporting);
  EXPECT_EQ(tiers({method("first", 8, 0.5), method("far", 2, 0.5), method("farther", 1, 0.5)}).at("far"),
            SymbolTier::kSupporting);
}

TEST(SymbolTiers, ShowAllOfASmallClassThoughNobodyNamesIt) {
  const auto of_small_class = [](const std::string& name, double key) {
    SelectedSymbol unit = method(name, key, 0);
    unit.cost = 60;
    return unit;
  };
  const auto made =
      tiers({function("best", 8.5, {"words"}), of_small_class("first", 8), of_small_class("far", 4)});
  EXPECT_EQ(made.at("far"), SymbolTier::kPrimary);
}

TEST(SymbolTiers, ShowAllOfASmallClassThatTheTaskNamesWhereItsHeadIsShown) {
  StageContext context;
  SelectedSymbol head = function("Cart", 8, {"words"});
  head.kind = code::UnitKind::kHead;
  head.signature_line = 3;
  head.cost = 50;
  context.symbols = {function("other", 7.9, {"words"}), head, method("far", 2, 0.5)};
  sort_into_tiers(context, {});
  EXPECT_EQ(context.symbols[2].tier, SymbolTier::kPrimary);
  context.symbols[2].tier = SymbolTier::kExcluded;
  context.symbols[2].cost = 600;
  sort_into_tiers(context, {});
  EXPECT_NE(context.symbols[2].tier, SymbolTier::kPrimary) << "a large class has more than what is meant";
}

std::vector<std::string> order_of(std::vector<SelectedSymbol> units,
                                  Documents documents = Documents::kBehindCode) {
  StageContext context;
  context.symbols = std::move(units);
  sort_into_tiers(context, {}, documents);
  std::vector<std::string> names;
  for (const SelectedSymbol& unit : context.symbols)
    if (unit.tier == SymbolTier::kPrimary) names.push_back(unit.name);
  return names;
}

SelectedSymbol in_frame(const std::string& name, double key, double share,
                        const std::vector<std::string>& signals = {}) {
  SelectedSymbol unit = function(name, key, signals);
  unit.score.components.push_back({"frame", share * code::UnitConstants().frame});
  return unit;
}

TEST(SymbolTiers, GoOnForWhatAStackTraceRunsThrough) {
  const auto made =
      tiers({function("best", 8, {"words"}), in_frame("in the trace", 4.5, 1.0 / 8, {"words"}),
             in_frame("ninth", 4.5, 1.0 / 9, {"words"}), in_frame("too far", 3.9, 1.0 / 8, {"words"})});
  EXPECT_EQ(made.at("in the trace"), SymbolTier::kPrimary);
  EXPECT_EQ(made.at("ninth"), SymbolTier::kSupporting);
  EXPECT_EQ(made.at("too far"), SymbolTier::kSupporting);
}

TEST(SymbolTiers, BeginWithTheInnermostFrameWhateverItsScore) {
  EXPECT_THAT(order_of({function("best", 8, {"words"}), in_frame("third", 4.5, 1.0 / 3),
                        in_frame("first", 1, 1), in_frame("second", 5, 0.5), in_frame("fourth", 6, 0.25)}),
              ElementsAre("first", "best", "fourth", "second", "third"));
}

TEST(SymbolTiers, DoNotBeginWithATestACopyOrADeclaration) {
  EXPECT_THAT(order_of({function("best", 8, {"words"}), in_frame("test", 7, 1, {"test"}),
                        in_frame("copy", 7, 1, {"copy"}), in_frame("declared", 7, 1, {"declared"})}),
              ElementsAre("best", "test", "copy", "declared"));
}

TEST(SymbolTiers, GoOnForLinesThatTheTaskNames) {
  const auto linked = [](const std::string& name, double key, double value) {
    SelectedSymbol unit = function(name, key, {"words"});
    unit.kind = code::UnitKind::kBetween;
    unit.score.components.push_back({"linked", value});
    return unit;
  };
  const auto made =
      tiers({function("best", 8, {"words"}), linked("surely", 4.5, 0.5), linked("perhaps", 4.5, 0.4)});
  EXPECT_EQ(made.at("surely"), SymbolTier::kPrimary);
  EXPECT_NE(made.at("perhaps"), SymbolTier::kPrimary);
}

TEST(SymbolTiers, PutDocumentsBehindCodeWhereAFrameLiesInTheRepository) {
  SelectedSymbol news = function("news", 9, {"words"});
  news.path = "www/posts/release.md";
  const SelectedSymbol best = function("best", 8, {"words"}), frame = in_frame("frame", 5, 1);
  EXPECT_THAT(order_of({news, best}), ElementsAre("news", "best"));
  EXPECT_THAT(order_of({news, best, frame}), ElementsAre("frame", "best", "news"));
  EXPECT_THAT(order_of({news, best, frame}, Documents::kByScore), ElementsAre("frame", "news", "best"));
}

TEST(SymbolTiers, DoNotGoOnForACopy) {
  EXPECT_EQ(tiers({function("best", 8, {"words"}), function("copy", 5.5, {"name", "copy"})}).at("copy"),
            SymbolTier::kExcluded);
}

TEST(SymbolTiers, NameTwoTestsAndNoPrototypesOfWhatIsShown) {
  const auto made = tiers(
      {function("best", 8, {"words"}), function("test_a", 5.5, {"words", "test"}),
       function("test_b", 5.5, {"words", "test"}), function("test_c", 5.5, {"words", "test"}),
       function("other.best", 5.5, {"words", "declared"}), function("other", 5.5, {"words", "declared"})});
  EXPECT_EQ(made.at("test_b"), SymbolTier::kSupporting);
  EXPECT_EQ(made.at("test_c"), SymbolTier::kExcluded);
  EXPECT_EQ(made.at("other.best"), SymbolTier::kExcluded);
  EXPECT_EQ(made.at("other"), SymbolTier::kSupporting);
}

// Beyond the nearest eight.
TEST(SymbolTiers, NameNothingFarBelowWithoutAWordOfTheTaskInItsName) {
  std::vector<SelectedSymbol> units = {function("best", 8, {"words"})};
  for (int i = 0; i < 8; ++i) units.push_back(function("next " + std::to_string(i), 3.4, {"words"}));
  units.push_back(function("far", 3.3, {"words"}));
  units.push_back(function("far but named", 3.3, {"words", "name words"}));
  const auto made = tiers(units);
  EXPECT_EQ(made.at("next 7"), SymbolTier::kSupporting);
  EXPECT_EQ(made.at("far"), SymbolTier::kExcluded);
  EXPECT_EQ(made.at("far but named"), SymbolTier::kSupporting);
}

TEST(SymbolTiers, NameTenOfOneFile) {
  std::vector<SelectedSymbol> units = {function("best", 8, {"words"})};
  for (int i = 0; i < 12; ++i) units.push_back(function("next " + std::to_string(i), 5.9, {"words"}));
  const auto made = tiers(units);
  EXPECT_EQ(made.at("next 9"), SymbolTier::kSupporting);
  EXPECT_EQ(made.at("next 10"), SymbolTier::kExcluded);
}

TEST(SymbolTiers, LeaveACopyOutOfTheRestOfAClass) {
  SelectedSymbol copy = method("copy", 2, 0.5);
  copy.score.components.push_back({"copy", -2});
  EXPECT_EQ(tiers({method("first", 8, 0.5), copy}).at("copy"), SymbolTier::kExcluded);
}

}  // namespace
}  // namespace knapsack::stages

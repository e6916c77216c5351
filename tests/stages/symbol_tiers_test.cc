// Which units a packet shows, which it only names, and where it ends.
#include "stages/symbol_tiers.h"

#include <gtest/gtest.h>

namespace knapsack::stages {
namespace {

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
  for (int i = 0; i < 40; ++i) units.push_back(function("next " + std::to_string(i), 5.9, {"words"}));
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
  EXPECT_EQ(tiers({method("first", 8, 0), method("second", 7, 0), method("far", 2, 0)}).at("far"),
            SymbolTier::kSupporting);
  EXPECT_EQ(tiers({method("first", 8, 0.15), method("second", 7, 0.15), method("far", 2, 0.15)}).at("far"),
            SymbolTier::kSupporting);
  EXPECT_EQ(tiers({method("first", 8, 0.5), method("far", 2, 0.5), method("farther", 1, 0.5)}).at("far"),
            SymbolTier::kSupporting);
}

TEST(SymbolTiers, LeaveACopyOutOfTheRestOfAClass) {
  SelectedSymbol copy = method("copy", 2, 0.5);
  copy.score.components.push_back({"copy", -2});
  EXPECT_EQ(tiers({method("first", 8, 0.5), copy}).at("copy"), SymbolTier::kExcluded);
}

}  // namespace
}  // namespace knapsack::stages

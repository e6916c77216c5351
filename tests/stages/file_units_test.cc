#include "stages/file_units.h"

#include <random>

#include "support/support.h"

namespace knapsack::stages {
namespace {

using code::SymbolKind;

SymbolRow symbol(SymbolKind kind, uint32_t first, uint32_t last, int32_t parent = code::kNoSymbol,
                 uint32_t comment = 0) {
  SymbolRow row;
  row.symbol.kind = kind;
  row.symbol.start_line = first;
  row.symbol.end_line = last;
  row.symbol.name_line = first;
  row.symbol.doc_start_line = comment;
  row.symbol.parent = parent;
  return row;
}

using Expected = std::vector<std::pair<uint32_t, LineRange>>;
Expected shown(const std::vector<SymbolRow>& symbols) {
  Expected units;
  for (const FileUnit& unit : units_of(symbols)) units.emplace_back(unit.position, unit.lines);
  return units;
}

TEST(FileUnits, ATypeLosesItsMembersAndAFunctionKeepsWhatItDefines) {
  const std::vector<SymbolRow> symbols = {
      symbol(SymbolKind::kClass, 1, 20), symbol(SymbolKind::kMethod, 4, 9, 0),
      symbol(SymbolKind::kFunction, 6, 7, 1), symbol(SymbolKind::kMethod, 11, 20, 0, 10),
      symbol(SymbolKind::kFunction, 22, 30)};
  EXPECT_EQ(shown(symbols), (Expected{{0, {1, 3}}, {1, {4, 9}}, {3, {10, 20}}, {4, {22, 30}}}));
}

TEST(FileUnits, AModuleIsNoUnitAndTwoOnOneLineAreOne) {
  const std::vector<SymbolRow> symbols = {
      symbol(SymbolKind::kModule, 1, 9), symbol(SymbolKind::kFunction, 2, 4, 0),
      symbol(SymbolKind::kFunction, 6, 6, 0), symbol(SymbolKind::kFunction, 6, 6, 0)};
  EXPECT_EQ(shown(symbols), (Expected{{1, {2, 4}}, {2, {6, 6}}}));
}

TEST(FileUnits, AreFoundByLineAndBySymbol) {
  const std::vector<SymbolRow> symbols = {symbol(SymbolKind::kClass, 3, 20),
                                          symbol(SymbolKind::kMethod, 8, 12, 0),
                                          symbol(SymbolKind::kFunction, 9, 10, 1)};
  const auto units = units_of(symbols);
  EXPECT_EQ(unit_at(units, 2), nullptr);
  EXPECT_EQ(unit_at(units, 3)->position, 0);
  EXPECT_EQ(unit_at(units, 7)->position, 0);
  EXPECT_EQ(unit_at(units, 12)->position, 1);
  EXPECT_EQ(unit_at(units, 13), nullptr) << "the type ends where its first member begins";
  EXPECT_EQ(unit_of_symbol(units, symbols, 2)->position, 1) << "what a function defines is part of it";
  EXPECT_EQ(unit_at({}, 1), nullptr);
}

TEST(FileUnits, NeverOverlapWhateverTheSymbolsAre) {
  std::mt19937 random(7);
  const auto pick = [&](uint32_t low, uint32_t high) {
    return std::uniform_int_distribution<uint32_t>(low, high)(random);
  };
  const SymbolKind kinds[] = {SymbolKind::kClass, SymbolKind::kFunction, SymbolKind::kMethod,
                              SymbolKind::kModule, SymbolKind::kConstant};
  for (int n = 0; n < 5000 / testing::cases_divisor(); ++n) {
    std::vector<SymbolRow> symbols;
    for (uint32_t i = 0; i < pick(0, 12); ++i) {
      const uint32_t first = pick(1, 40);
      const int32_t parent =
          i > 0 && pick(0, 1) == 1 ? static_cast<int32_t>(pick(0, i - 1)) : code::kNoSymbol;
      symbols.push_back(
          symbol(kinds[pick(0, 4)], first, first + pick(0, 20), parent,
                 pick(0, 2) == 0 ? std::max<uint32_t>(1, first - std::min(first, pick(0, 5))) : 0));
    }
    const auto units = units_of(symbols);
    for (size_t i = 0; i < units.size(); ++i) {
      ASSERT_LE(units[i].lines.first, units[i].lines.last);
      if (i > 0) {
        ASSERT_LT(units[i - 1].lines.last, units[i].lines.first);
      }
      ASSERT_EQ(unit_at(units, units[i].lines.first), &units[i]);
      ASSERT_EQ(unit_at(units, units[i].lines.last), &units[i]);
      ASSERT_NE(unit_of_symbol(units, symbols, units[i].position), nullptr);
    }
  }
}

}  // namespace
}  // namespace knapsack::stages

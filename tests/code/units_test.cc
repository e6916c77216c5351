// How files are cut into units: every line that says something in exactly one of them.
#include "code/units/units.h"

#include <fmt/format.h>

#include "code/parse/parser.h"
#include "code/support_fixtures.h"
#include "support/support.h"

namespace knapsack::code {
namespace {

struct Named {
  SymbolKind kind;
  std::string name;
  uint32_t first, last;
  int32_t parent = kNoSymbol;
};

std::vector<SymbolRow> rows(const std::vector<Named>& symbols) {
  std::vector<SymbolRow> made;
  for (const Named& each : symbols) {
    SymbolRow& row = made.emplace_back();
    row.position = static_cast<uint32_t>(made.size() - 1);
    row.symbol.kind = each.kind;
    row.symbol.name = row.symbol.qualified_name = each.name;
    row.symbol.start_line = row.symbol.name_line = each.first;
    row.symbol.end_line = each.last;
    row.symbol.parent = each.parent;
  }
  return made;
}

std::string cut(const std::string& text, const std::vector<Named>& symbols, std::string_view language = "") {
  const auto all = rows(symbols);
  std::string shown;
  for (const Unit& unit : cut_units(TextLines(text), all, language))
    shown += fmt::format("{} {}-{} {}\n", to_string(unit.kind), unit.lines.first, unit.lines.last, unit.name);
  return shown;
}

std::string repeated(const std::string& line, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += line;
  return text;
}

TEST(Units, AFunctionHasTheCommentAndTheAttributesDirectlyAboveIt) {
  EXPECT_EQ(cut("import os\n\nkMore = 2\nkLimit = 3\n\n# adds\n@cached\ndef add(a, b):\n    return a + b\n",
                {{SymbolKind::kFunction, "add", 7, 9}}),
            "imports 1-1 \nbetween 3-4 kMore\nfunction 6-9 add\n");
  EXPECT_EQ(cut("// about nothing\n\nvoid f() {\n}\n", {{SymbolKind::kFunction, "f", 3, 4}}),
            "remarks 1-1 \nfunction 3-4 f\n")
      << "a comment that stands alone is no part of it";
}

TEST(Units, ADirectiveBelowACommentTakesNothingFromTheFunction) {
  EXPECT_EQ(cut("// adds\n#if X\nvoid f() {\n}\n#endif\n", {{SymbolKind::kFunction, "f", 3, 4}}),
            "function 1-4 f\n");
  EXPECT_EQ(cut("void g();\n#if X\nvoid f() {\n}\n", {{SymbolKind::kFunction, "f", 3, 4}}),
            "between 1-2 \nfunction 3-4 f\n")
      << "a directive alone is none of it";
  EXPECT_EQ(cut("// about nothing\n#if X\n\nvoid f() {\n}\n", {{SymbolKind::kFunction, "f", 4, 5}}),
            "remarks 1-2 \nfunction 4-5 f\n");
}

TEST(Units, ACommentIsToldByItsLanguageWhateverItsLinesBeginWith) {
  const std::vector<Named> f = {{SymbolKind::kFunction, "f", 6, 7}};
  EXPECT_EQ(cut("/**\nAdds two.\n\nSee below.\n*/\nfunction f() {\n}\n", f, "typescript"),
            "function 1-7 f\n");
  EXPECT_EQ(cut("x = 1\n--[[\nAdds two.\nSee below.\n]]\nfunction f()\nend\n", f, "lua"),
            "between 1-1 x\nfunction 2-7 f\n");
  EXPECT_EQ(cut("@doc \"\"\"\nAdds two.\n\nSee below.\n\"\"\"\ndef f do\nend\n", f, "elixir"),
            "function 1-7 f\n");
  EXPECT_EQ(cut("-- | Adds two.\n--\n-- See below.\n--- Really.\n\nf a b =\n  a + b\n", f, "haskell"),
            "remarks 1-4 \nfunction 6-7 f\n");
  EXPECT_EQ(cut("--x;\n--y;\n\n\n\nint f() {\n}\n", f, "c"), "between 1-2 \nfunction 6-7 f\n");
  EXPECT_EQ(cut("limit = 2\n\n\n# if it is late\n# include the rest\ndef f():\n    pass\n", f, "python"),
            "between 1-1 limit\nfunction 4-7 f\n")
      << "a directive only where there are some";
  EXPECT_EQ(cut("/* a glob\nx = 1\ny = 2\n\n\nfunction f() {\n}\n", f, "javascript"),
            "between 1-3 \nfunction 6-7 f\n")
      << "what is never closed is no comment";
  EXPECT_EQ(cut("/*\nImport nothing.\nReturn nothing.\n*/\n\nfunction f() {\n}\n", f, "javascript"),
            "remarks 1-4 \nfunction 6-7 f\n");
}

TEST(Units, LinesThatSayNothingAloneAreNone) {
  const std::string text =
      "#if WIDE\nvoid f() {\n}\n#endif\n\nclass Cart {\npublic:\n  void add() {\n  }\n\nprotected:\n"
      "  void sum() {\n  }\n};\n}  // namespace shop\n#define LIMIT 3\n";
  EXPECT_EQ(cut(text, {{SymbolKind::kFunction, "f", 2, 3},
                       {SymbolKind::kClass, "Cart", 6, 14},
                       {SymbolKind::kMethod, "add", 8, 9, 1},
                       {SymbolKind::kMethod, "sum", 12, 13, 1}}),
            "function 2-3 f\nfunction 8-9 add\nfunction 12-14 sum\nbetween 15-16 \n");
  EXPECT_EQ(
      cut("module Shop\n  def self.open\n  end\n\nend\n\n})];\n", {{SymbolKind::kMethod, "open", 2, 3}}),
      "function 2-3 open\n");
}

TEST(Units, ACallOfEndClosesNothing) {
  EXPECT_EQ(cut("end()\n\ndef f():\n    pass\n", {{SymbolKind::kFunction, "f", 3, 4}}),
            "between 1-1 \nfunction 3-4 f\n");
}

// It is shown above each of its parts.
TEST(Units, ALineThatOpensATypeIsNoneAlone) {
  for (const std::string head : {"class Cart {\n", "class Cart\n{\n", "class Cart {\n public:\n"}) {
    const auto lines = static_cast<uint32_t>(std::count(head.begin(), head.end(), '\n'));
    EXPECT_EQ(
        cut(head + "  int sum() {\n    return 0;\n  }\n\n  int n = 1;\n}\n",
            {{SymbolKind::kClass, "Cart", 1, lines + 6},
             {SymbolKind::kMethod, "sum", lines + 1, lines + 3, 0}}),
        fmt::format("function {}-{} sum\nbetween {}-{} n\n", lines + 1, lines + 3, lines + 5, lines + 6));
  }
}

TEST(Units, ALineThatOpensABlockOfDefinitionsIsNoneAlone) {
  for (const std::string head :
       {"impl Cart {\n", "impl<T> Cart<T>\nwhere\n  T: Copy,\n{\n", "class << self\n"}) {
    const auto lines = static_cast<uint32_t>(std::count(head.begin(), head.end(), '\n'));
    EXPECT_EQ(
        cut(head + "  fn sum() {\n    0\n  }\n}\n", {{SymbolKind::kMethod, "sum", lines + 1, lines + 3}}),
        fmt::format("function {}-{} sum\n", lines + 1, lines + 4));
  }
  EXPECT_EQ(cut("/// Adds.\nimpl Cart {\n  fn sum() {\n  }\n}\n", {{SymbolKind::kMethod, "sum", 3, 4}}),
            "remarks 1-1 \nfunction 3-5 sum\n");
  EXPECT_EQ(cut("kLimit = 3\n  def sum():\n    pass\n", {{SymbolKind::kMethod, "sum", 2, 3}}),
            "between 1-1 kLimit\nfunction 2-3 sum\n");
}

// What closes a block and what opens the next one say nothing together either.
TEST(Units, BetweenTwoBlocksOfDefinitionsNothingIsLeft) {
  EXPECT_EQ(cut("impl Cart {\n  fn add() {\n  }\n}\n\n// ===== sums =====\n\nimpl<I: Iterator<Item = T>> Sum "
                "for Cart\n"
                "where\n  I: Clone,\n{\n  fn sum() {\n  }\n}\n",
                {{SymbolKind::kMethod, "add", 2, 3}, {SymbolKind::kMethod, "sum", 12, 13}}),
            "function 2-4 add\nremarks 6-6 \nfunction 12-14 sum\n");
  EXPECT_EQ(cut("const LIMIT: u8 = 3;\n\nimpl Cart {\n  fn add() {\n  }\n}\n",
                {{SymbolKind::kMethod, "add", 4, 5}}),
            "between 1-1 LIMIT\nfunction 4-6 add\n");
}

TEST(Units, TheLineThatClosesATypeGoesWithItsLastMember) {
  const std::string text = "class Cart {\n  class Row {\n    int sum() {\n    }\n  }\n}\n";
  EXPECT_EQ(cut(text, {{SymbolKind::kClass, "Cart", 1, 6},
                       {SymbolKind::kClass, "Row", 2, 5, 0},
                       {SymbolKind::kMethod, "sum", 3, 4, 1}}),
            "function 3-5 sum\n")
      << "and that of the type around it with none";
  EXPECT_EQ(cut("void f() {\n}\n}\n", {{SymbolKind::kFunction, "f", 1, 2}}), "function 1-2 f\n")
      << "what is not indented shows no opener";
}

TEST(Units, AnObjectWithFunctionsIsTakenApartLikeAClass) {
  const std::string text =
      "export const box = {\n  put(item) {\n  },\n}\n\nexport const crate = {\n  size: 3,\n  put(item) {\n  "
      "},\n}\n";
  EXPECT_EQ(cut(text, {{SymbolKind::kVariable, "box", 1, 4},
                       {SymbolKind::kMethod, "put", 2, 3, 0},
                       {SymbolKind::kVariable, "crate", 6, 10},
                       {SymbolKind::kMethod, "put", 8, 9, 2}}),
            "function 2-4 put\nhead 6-7 crate\nfunction 8-10 put\n");
  EXPECT_EQ(cut("const limits = {\n  small: 1,\n  large: 2,\n}\n", {{SymbolKind::kVariable, "limits", 1, 4}}),
            "between 1-4 limits\n");
}

TEST(Units, ACommentAboveATypeIsNotCutFromItsFirstLine) {
  auto symbols = rows({{SymbolKind::kClass, "Basket", 2, 7}, {SymbolKind::kMethod, "add", 5, 6, 0}});
  symbols[0].symbol.doc_start_line = symbols[0].symbol.doc_end_line = 1;
  const auto units = cut_units(
      TextLines("/** The basket. */\nclass Basket {\n  int items;\n  int limit;\n  void add() {\n  }\n}\n"),
      symbols, "");
  ASSERT_EQ(units.size(), 2U);
  EXPECT_EQ(units[0].lines, (LineRange{1, 4}));
  EXPECT_EQ(units[0].kind, UnitKind::kHead);
}

TEST(Units, AWordThatOnlySaysWhoMaySeeWhatFollowsIsNone) {
  EXPECT_EQ(cut("class Cart\n  def add\n  end\n\n  private\n\n  def sum\n  end\nend\n",
                {{SymbolKind::kClass, "Cart", 1, 9},
                 {SymbolKind::kMethod, "add", 2, 3, 0},
                 {SymbolKind::kMethod, "sum", 7, 8, 0}}),
            "function 2-3 add\nfunction 7-9 sum\n");
}

TEST(Units, ACommentStaysWithTheLineThatItDescribes) {
  const std::string values = repeated("  int a = 1;\n", 30);
  const std::string comment = "  /**\n" + repeated("   * says much\n", 20) + "   */\n";
  EXPECT_EQ(cut(values + comment + values, {}), "between 1-30 a\nbetween 31-70 \nbetween 71-82 a\n");
  const std::string longer = "  /**\n" + repeated("   * says much\n", 60) + "   */\n";
  EXPECT_EQ(cut(longer + values, {}), "between 1-63 \nbetween 64-92 a\n");
  // Each line is looked at once or twice.
  EXPECT_EQ(cut(repeated("// says much\n", 300'000) + values, {}),
            "between 1-300001 \nbetween 300002-300030 a\n");
}

TEST(Units, ATypeWithMethodsIsTakenApart) {
  const std::string text =
      "class Cart:\n    limit = 3\n\n    def add(self):\n        pass\n\n    total = 0\n    count = 1\n\n"
      "    def sum(self):\n        return 0\n";
  EXPECT_EQ(cut(text, {{SymbolKind::kClass, "Cart", 1, 11},
                       {SymbolKind::kMethod, "add", 4, 5, 0},
                       {SymbolKind::kMethod, "sum", 10, 11, 0}}),
            "head 1-2 Cart\nfunction 4-5 add\nbetween 7-8 total\nfunction 10-11 sum\n");
}

TEST(Units, ATypeWithoutMethodsIsOneUnit) {
  EXPECT_EQ(cut("struct Point {\n  int x;\n  int y;\n};\n", {{SymbolKind::kStruct, "Point", 1, 4}}),
            "type 1-4 Point\n");
}

TEST(Units, LinesOfClosingBracesAloneBelongToNothing) {
  EXPECT_EQ(cut("namespace a {\n\nvoid f() {\n}\n\n}\n}\n", {{SymbolKind::kFunction, "f", 3, 4}}),
            "imports 1-1 \nfunction 3-4 f\n");
}

TEST(Units, OnlyAVeryLongFunctionIsTakenApart) {
  const std::string body = repeated("    x = 1\n", 100);
  const std::string inner =
      "    def inner():\n        a = 1\n        b = 2\n        c = 3\n        return a\n";
  const std::string is_short = "def outer():\n" + repeated("    x = 1\n", 10) + inner;
  EXPECT_EQ(
      cut(is_short, {{SymbolKind::kFunction, "outer", 1, 16}, {SymbolKind::kFunction, "inner", 12, 16, 0}}),
      "function 1-16 outer\n");
  const std::string is_long = "def outer():\n" + body + inner + body;
  const std::string taken =
      cut(is_long, {{SymbolKind::kFunction, "outer", 1, 206}, {SymbolKind::kFunction, "inner", 102, 106, 0}});
  EXPECT_NE(taken.find("function 102-106 inner\n"), std::string::npos) << taken;
  EXPECT_EQ(taken.find("function 1-"), std::string::npos) << taken;
}

TEST(Units, StretchesAreCutAtBlankLinesAndNeverGrowLong) {
  const std::string block = repeated("value = 1\n", 13) + "\n";
  EXPECT_EQ(cut(block + block, {}), "between 1-13 value\nbetween 15-27 value\n");
  const std::string endless = cut(repeated("value = 1\n", 100), {});
  EXPECT_EQ(endless, "between 1-40 value\nbetween 41-80 value\nbetween 81-100 value\n");
}

TEST(Units, ALongStretchInsideOfSomethingIsCutAtItsLastBlankLine) {
  const std::string block = "  value = 1\n" + repeated("  other()\n", 14) + "\n";
  const std::string three = block + block + block;
  EXPECT_EQ(cut("begin\n" + three, {}), "between 1-48 \n") << "one statement";
  EXPECT_EQ(cut("begin\n" + three + three, {}), "between 1-64 \nbetween 66-96 value\n");
}

TEST(Units, ALongCommentAboveATypeIsNotItsHead) {
  const std::string text =
      "/**\n" + repeated(" * says much\n", 60) +
      " */\n@Final\nclass Cart {\n  int limit;\n\n  int total() {\n    return 0;\n  }\n}\n";
  EXPECT_EQ(cut(text, {{SymbolKind::kClass, "Cart", 64, 70}, {SymbolKind::kMethod, "total", 67, 69, 0}}),
            "remarks 1-62 \nhead 63-65 Cart\nfunction 67-70 total\n");
  EXPECT_EQ(cut("/** few words */\n" + text.substr(text.find("@Final")),
                {{SymbolKind::kClass, "Cart", 3, 9}, {SymbolKind::kMethod, "total", 6, 8, 0}}),
            "head 1-4 Cart\nfunction 6-9 total\n");
}

// The docstring of a class is text about it: only its beginning, which is part of the head, is ranked.
TEST(Units, TheRestOfALongDocstringIsRemarks) {
  const std::string text = "class Shop:\n    \"\"\"Sells.\n" + repeated("    More.\n", 12) + "\n" +
                           repeated("    And more.\n", 13) +
                           "    \"\"\"\n    kOpen = 9\n\n    def sell(self):\n        pass\n";
  auto symbols = rows({{SymbolKind::kClass, "Shop", 1, 33}, {SymbolKind::kMethod, "sell", 32, 33}});
  symbols[0].symbol.doc_start_line = 2;
  symbols[0].symbol.doc_end_line = 29;
  std::string shown;
  for (const Unit& unit : cut_units(TextLines(text), symbols, ""))
    shown += fmt::format("{} {}-{} {}\n", to_string(unit.kind), unit.lines.first, unit.lines.last, unit.name);
  EXPECT_EQ(shown, "head 1-14 Shop\nremarks 16-29 \nbetween 30-30 kOpen\nfunction 32-33 sell\n");
}

TEST(Units, AValueOfSeveralLinesStandsApartFromItsNeighbours) {
  const std::string table = "limits = {\n" + repeated("  1: 2,\n", 4) + "}\n";
  const std::string text = "first = 1\n// of all carts\n" + table + "last = 2\n";
  EXPECT_EQ(cut(text, {{SymbolKind::kVariable, "first", 1, 1},
                       {SymbolKind::kVariable, "limits", 3, 8},
                       {SymbolKind::kVariable, "last", 9, 9}}),
            "between 1-1 first\nvalue 2-8 limits\nbetween 9-9 last\n");
  const std::string property =
      "class Cart {\n  int a;\n  int Total {\n    get {\n      return a;\n    }\n  }\n"
      "  void Add() {\n  }\n}\n";
  EXPECT_EQ(cut(property, {{SymbolKind::kClass, "Cart", 1, 10},
                           {SymbolKind::kField, "Total", 3, 7, 0},
                           {SymbolKind::kMethod, "Add", 8, 9, 0}}),
            "head 1-2 Cart\nvalue 3-7 Total\nfunction 8-10 Add\n");
  EXPECT_EQ(cut("struct Cart {\n  struct {\n    int a;\n    int b;\n    int c;\n  } rows;\n};\n",
                {{SymbolKind::kStruct, "Cart", 1, 7}, {SymbolKind::kField, "rows", 2, 6, 0}}),
            "type 1-7 Cart\n")
      << "a type of values alone stays whole";
  const std::string local = "void f() {\n  int rows = {\n" + repeated("    1,\n", 4) + "  };\n}\n";
  EXPECT_EQ(cut(local, {{SymbolKind::kFunction, "f", 1, 8}, {SymbolKind::kVariable, "rows", 2, 7, 0}}),
            "function 1-8 f\n");
}

TEST(Units, AHugeFunctionIsCutLikeWhatStandsBetweenDefinitions) {
  std::string text = "void run() {\n  switch (event) {\n";
  for (int n = 0; n < 80; ++n) text += fmt::format("  case {}:\n", n) + repeated("    step();\n", 12) + "\n";
  text += "  }\n}\n";
  const auto symbols = rows({{SymbolKind::kFunction, "run", 1, 1124}});
  const auto units = cut_units(TextLines(text), symbols, "");
  ASSERT_GT(units.size(), 60U);
  EXPECT_EQ(units[0].kind, UnitKind::kHead);
  EXPECT_EQ(units[0].name, "run");
  for (size_t i = 1; i < units.size(); ++i) {
    EXPECT_EQ(units[i].kind, UnitKind::kBetween);
    EXPECT_EQ(units[i].owner, 0);
  }
}

TEST(Units, TheFieldsOfATypeStayInItsHeadHoweverLongTheCommentAboveIt) {
  std::string fields;
  for (int n = 0; n < 4; ++n) fields += "  // One.\n  int a;\n\n";
  const std::string text = "/**\n" + repeated(" * says much\n", 9) + " */\nclass Cart {\n" + fields +
                           "  int total() {\n    return 0;\n  }\n}\n";
  EXPECT_EQ(cut(text, {{SymbolKind::kClass, "Cart", 12, 28}, {SymbolKind::kMethod, "total", 25, 27, 0}}),
            "head 1-23 Cart\nfunction 25-28 total\n");
}

TEST(Units, ImportsAndTheCodeBelowThemAreTwo) {
  EXPECT_EQ(cut("package main\n\nimport (\n\t\"os\"\n)\n\nconst kLimit = 3\n", {}),
            "imports 1-5 \nbetween 7-7 kLimit\n");
}

TEST(Units, NoPieceBeginsWithWhatOnlyCloses) {
  const std::string block = repeated("  value = 1;\n", 13);
  EXPECT_EQ(cut("call(\n" + block + "\n);\nnext = 2;\n", {}), "between 1-14 \nbetween 17-17 next\n");
}

TEST(Units, DefinitionsThatOverlapShareNoLine) {
  const std::string text = repeated("line\n", 12);
  const auto symbols = rows({{SymbolKind::kClass, "A", 1, 8},
                             {SymbolKind::kMethod, "a", 2, 8, 0},
                             {SymbolKind::kClass, "B", 4, 12},
                             {SymbolKind::kMethod, "b", 9, 11, 2}});
  uint32_t last = 0;
  for (const Unit& unit : cut_units(TextLines(text), symbols, "")) {
    EXPECT_GT(unit.lines.first, last) << unit.name;
    last = unit.lines.last;
  }
  EXPECT_EQ(last, 12U);
}

TEST(Units, AMethodThatStandsOutsideOfItsTypeKeepsItsOwner) {
  const auto symbols = rows({{SymbolKind::kStruct, "Cart", 1, 3}, {SymbolKind::kMethod, "total", 6, 8, 0}});
  const auto units =
      cut_units(TextLines("struct Cart {\n  items: u8,\n}\n\nimpl Cart {\n  fn total() {\n    1\n  }\n}\n"),
                symbols, "");
  ASSERT_EQ(units.size(), 2U);
  EXPECT_EQ(units[1].name, "total");
  EXPECT_EQ(units[1].owner, 0);
}

// A line of which there is nothing but a brace or two, `end`, `#endif`, `public:`, or `}  // namespace shop`.
bool says_nothing(std::string_view line) {
  const size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos || line.find_last_not_of(" \t\r") - first < 2) return true;
  return line.substr(first).starts_with("end") || is_directive(line) || is_access_label(line) ||
         line.substr(first).starts_with("}  //");
}

TEST(Units, NeverOverlapAndLoseNoLineThatSaysSomethingInAnyLanguage) {
  Parser parser;
  for (const Fixture& fixture : read_fixtures()) {
    const auto read = parser.parse(*fixture.language, fixture.bytes);
    ASSERT_OK(read);
    const ParsedFile& parsed = *read;
    std::vector<SymbolRow> symbols;
    for (const Symbol& symbol : parsed.symbols)
      symbols.push_back({0, static_cast<uint32_t>(symbols.size()), symbol, {}});
    const TextLines text(fixture.bytes);
    std::vector<int> units_of(text.count() + 1, 0);
    const auto opens = [&](uint32_t line) {
      return std::any_of(symbols.begin(), symbols.end(), [&](const SymbolRow& row) {
        const bool opens_type =
            row.symbol.name_line == line && row.symbol.end_line > line && !is_callable(row.symbol.kind);
        return opens_type || row.symbol.start_line == line + 1;
      });
    };
    for (const Unit& unit : cut_units(text, symbols, "")) {
      ASSERT_GE(unit.lines.first, 1U);
      ASSERT_LE(unit.lines.last, text.count());
      for (uint32_t line = unit.lines.first; line <= unit.lines.last; ++line) ++units_of[line];
    }
    for (uint32_t line = 1; line <= text.count(); ++line) {
      EXPECT_LE(units_of[line], 1) << fixture.path << ":" << line;
      // A stretch of such lines alone may stand for nothing, and so may what opens a type.
      if (!says_nothing(text.line(line)) && !(units_of[line] == 0 && opens(line))) {
        EXPECT_EQ(units_of[line], 1) << fixture.path << ":" << line;
      }
    }
  }
}

}  // namespace
}  // namespace knapsack::code

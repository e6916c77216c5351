// Programs that nobody parses, cut by how they are laid out.
#include "code/units/unparsed_units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace knapsack::code {
namespace {

using ::testing::ElementsAre;

// "first-last name", with "remarks" and "imports" for what is never shown for itself.
std::vector<std::string> cut(const std::string& text) {
  std::vector<std::string> pieces;
  for (const Unit& unit : cut_units(TextLines(text), {}, "perl")) {
    std::string piece = std::to_string(unit.lines.first) + "-" + std::to_string(unit.lines.last);
    if (!unit.is_ranked()) piece += " " + std::string(to_string(unit.kind));
    if (!unit.name.empty()) piece += " " + unit.name;
    pieces.push_back(piece);
  }
  return pieces;
}

TEST(UnparsedUnits, PerlIsCutIntoItsSubsAndItsManualIsNoCode) {
  EXPECT_THAT(cut("package Shop::Cart;\n"
                  "use strict;\n"
                  "\n"
                  "sub total {\n"
                  "  my $self = shift;\n"
                  "\n"
                  "  return 0;\n"
                  "}\n"
                  "\n"
                  "sub empty { 1 }\n"
                  "\n"
                  "=head1 NAME\n"
                  "\n"
                  "sub is what this manual tells\n"
                  "\n"
                  "=cut\n"
                  "\n"
                  "sub add {\n"
                  "  1;\n"
                  "}\n"),
              ElementsAre("1-2 imports", "4-8 total", "10-10 empty", "12-16 remarks", "18-20 add"));
}

TEST(UnparsedUnits, MethodsOfDartStandAlone) {
  EXPECT_THAT(cut("import 'dart:io';\n"
                  "import 'dart:async';\n"
                  "import 'cart.dart';\n"
                  "import 'item.dart';\n"
                  "\n"
                  "/// A shop.\n"
                  "class Shop extends Base {\n"
                  "  final int size;\n"
                  "  Shop(this.size);\n"
                  "\n"
                  "  Future<int> total(Cart cart) async {\n"
                  "    var sum = 0;\n"
                  "\n"
                  "    return sum;\n"
                  "  }\n"
                  "\n"
                  "  @override\n"
                  "  int get price => 1;\n"
                  "\n"
                  "  void close() {\n"
                  "    done = true;\n"
                  "  }\n"
                  "}\n"),
              ElementsAre("1-4 imports", "6-9 Shop", "11-15 total", "17-18 price", "20-23 close"));
}

TEST(UnparsedUnits, AManualAboveAFunctionOfRIsNotShownWithIt) {
  std::string text;
  for (int i = 0; i < 15; ++i) text += "#' How it is used\n";
  text += "total <- function(cart) {\n  sum(cart)\n}\n\n#' Short\nprice <- function(item) {\n  1\n}\n";
  EXPECT_THAT(cut(text), ElementsAre("1-15 remarks", "16-18 total", "20-23 price"));
}

TEST(UnparsedUnits, LispAndErlangAndTypescriptInVueHaveNamesToo) {
  EXPECT_THAT(cut("(defn total [cart]\n  (reduce + cart))\n\n;; Prices.\n(defn- price [item]\n  1)\n"),
              ElementsAre("1-2 total", "4-6 price"));
  EXPECT_THAT(cut("total(Cart) ->\n    0.\n\nprice(Item) when is_list(Item) ->\n    1.\n"),
              ElementsAre("1-2 total", "4-5 price"));
  EXPECT_THAT(cut("<script setup>\nfunction total() {\n  return 0\n}\n\nfunction price() {\n  return "
                  "1\n}\n</script>\n"),
              ElementsAre("1-4", "6-9 price"));
}

TEST(UnparsedUnits, WhatDefinesNothingIsCutAsBefore) {
  std::string text;
  for (int i = 0; i < 30; ++i) text += i % 5 == 4 ? "\n" : "plain words (of a sentence)\n";
  std::vector<std::string> as_text;
  for (const Unit& unit : cut_units(TextLines(text), {}, "text"))
    as_text.push_back(std::to_string(unit.lines.first) + "-" + std::to_string(unit.lines.last));
  EXPECT_EQ(cut(text), as_text);
}

TEST(UnparsedUnits, EveryLineThatSaysSomethingIsInOneUnitAndNoneIsCutForever) {
  std::string text = "sub first {\n  1;\n}\n\n\n\nsub second {\n";
  for (int i = 0; i < 500; ++i) text += i % 7 == 6 ? "\n" : "  $x += 1;\n";
  text += "}\n\nsub third {\n";
  for (int i = 0; i < 500; ++i) text += "  $x += 1;\n";
  text += "}\n";
  const TextLines lines(text);
  std::vector<int> held(lines.count() + 1);
  for (const Unit& unit : cut_units(lines, {}, "perl")) {
    EXPECT_LT(unit.lines.last - unit.lines.first, 120U);
    for (uint32_t line = unit.lines.first; line <= unit.lines.last; ++line) ++held[line];
  }
  for (uint32_t line = 1; line + 1 < lines.count(); ++line) {
    EXPECT_LE(held[line], 1) << line;
    if (!lines.is_blank(line)) {
      EXPECT_EQ(held[line], 1) << line;
    }
  }
}

}  // namespace
}  // namespace knapsack::code

// Which lines stand around a unit, so that it can be read alone.
#include "stages/precision_lines.h"

#include <gtest/gtest.h>

namespace knapsack::stages {
namespace {

LineRange opener(std::string_view text, LineRange unit) {
  return opener_of(code::TextLines(text), unit);
}

TEST(Opener, OfAHeadOfSeveralLinesIsTheOneWithTheName) {
  EXPECT_EQ(opener("export interface Schema<\n  T,\n> extends Base<T> {\n  parse(): T;\n}\n", {4, 4}),
            (LineRange{1, 1}));
  EXPECT_EQ(
      opener("class Reader(\n    Base,\n    Other,\n) -> None:\n    def read(self):\n        pass\n", {5, 6}),
      (LineRange{1, 1}));
}

TEST(Opener, OfAHeadWithConditionsIsTheOneWithTheName) {
  EXPECT_EQ(opener("impl<W> Writer<W>\nwhere\n    W: Write,\n{\n    fn flush(&self) {}\n}\n", {5, 5}),
            (LineRange{1, 1}));
  EXPECT_EQ(opener("class Reader\n  extends Base\n{\n    read() {}\n}\n", {4, 4}), (LineRange{1, 1}));
  EXPECT_EQ(opener("where_it_is = {\n    'a': 1,\n}\n", {2, 2}), (LineRange{1, 1})) << "a longer word";
}

TEST(Opener, IsNoOtherBranchOfIt) {
  EXPECT_EQ(opener("if wide\n  first\nelse\n  second\nend\n", {4, 4}), (LineRange{1, 1}));
  EXPECT_EQ(opener("if (wide) {\n  first();\n} else {\n  second();\n}\n", {4, 4}), (LineRange{1, 1}));
}

TEST(Opener, PassesOverWhatNamesNothing) {
  EXPECT_EQ(opener("class Dates {\n    int zone {\n        set\n        {\n            zone = value;\n       "
                   " }\n    }\n}\n",
                   {5, 5}),
            (LineRange{2, 2}));
  EXPECT_EQ(opener("class Dates {\n#if HAVE_OFFSET\n    int zone;\n#endif\n    int hour;\n};\n", {5, 5}),
            (LineRange{1, 1}));
  EXPECT_EQ(opener("class Dates {\n    int hour;\n#if HAVE_OFFSET\n    int zone;\n#endif\n};\n", {3, 5}),
            (LineRange{1, 1}))
      << "one that begins with a directive";
  EXPECT_EQ(opener("class Dates {\n    int zone {\n        get => _zone;\n        set\n        {\n           "
                   " zone = value;\n        }\n    }\n}\n",
                   {6, 6}),
            (LineRange{2, 2}))
      << "a statement opens nothing";
  EXPECT_EQ(opener("def setup():\n    try:\n        begin()\n", {3, 3}), (LineRange{1, 1}));
  EXPECT_EQ(opener("set(NAME\n    one\n    two)\n", {2, 3}), (LineRange{1, 1})) << "a call";
}

TEST(Opener, IsNotWhatABracketOfItsOwnStandsBehind) {
  const std::string text =
      "def(\n  'x',\n  () => {\n    this.assert(\n      pass,\n    )\n  },\n)\ndefine<Spy>(\n  [\n    "
      "{\n      name: 'a',\n    },\n  ],\n)\n";
  EXPECT_EQ(opener(text, {12, 12}), (LineRange{9, 9}));
  EXPECT_EQ(opener("class Dates\n{\n    int hour;\n}\n", {3, 3}), (LineRange{1, 1}));
}

TEST(Opener, IsNothingThatStandsInAnotherFunction) {
  const std::string text =
      "mod tests {\n    fn first() {\n        let expected = \"\\\nFor the Doctor Watsons of this "
      "world\n\";\n"
      "    }\n\n    fn second() {\n        check();\n    }\n}\n";
  code::SymbolRow first;
  first.symbol.start_line = 2;
  first.symbol.end_line = 6;
  EXPECT_EQ(opener_of(code::TextLines(text), {8, 10}, {first}), (LineRange{1, 1}));
  EXPECT_EQ(opener_of(code::TextLines(text), {8, 10}), (LineRange{4, 4}))
      << "without symbols nobody can tell";
}

TEST(Opener, OfWhatStandsAtTheTopIsNone) {
  EXPECT_EQ(opener("import os\n\ndef read():\n    pass\n", {3, 4}), (LineRange{}));
}

// What a comment from line 2 on spares, in a unit that begins with it.
LineRange spared(const std::string& comment, uint32_t last) {
  code::Symbol symbol;
  symbol.doc_start_line = 2;
  symbol.doc_end_line = last;
  return spare_of(symbol, {2, last + 5}, code::TextLines("class Ledger {\n" + comment));
}

TEST(Spare, KeepsTheFirstParagraphAndTheLineThatCloses) {
  const std::string java =
      "/**\n * Settles it.\n *\n * @param a\n * @param b\n * @param c\n * @param d\n * @param e\n */\nvoid "
      "x();\n";
  EXPECT_EQ(spared(java, 10), (LineRange{4, 9}));
  const std::string python = "\"\"\"Settles it.\n\nA\nB\nC\nD\nE\nF\nG\n\"\"\"\n";
  EXPECT_EQ(spared(python, 11), (LineRange{3, 10}));
}

TEST(Spare, KeepsNoMoreThanThreeLines) {
  const std::string rust = "/// A\n/// B\n/// C\n/// D\n/// E\n/// F\n/// G\n/// H\n/// I\nfn x() {}\n";
  EXPECT_EQ(spared(rust, 10), (LineRange{5, 10})) << "nothing closes it, so its last line goes too";
  const std::string russian = "// Закрывает.\n//\n// В\n// Г\n// Д\n// Е\n// Ж\n// З\n// И\nfunc x() {}\n";
  EXPECT_EQ(spared(russian, 10), (LineRange{3, 10}));
}

TEST(Spare, IsNothingOfAShortComment) {
  EXPECT_EQ(spared("/**\n * A\n * B\n * C\n * D\n * E\n * F\n */\nvoid x();\n", 9), (LineRange{}));
}

}  // namespace
}  // namespace knapsack::stages

// What packets show of changed lines, on cases that can be counted by hand.
#include "engine/eval/eval_lines.h"

#include "support/support.h"

namespace knapsack {
namespace {

code::SymbolRow function(const std::string& name, uint32_t first, uint32_t last) {
  code::SymbolRow row;
  row.symbol.name = name;
  row.symbol.start_line = first;
  row.symbol.end_line = last;
  return row;
}

// Two functions of ten lines, and lines that belong to none.
class EvalLines : public ::testing::Test {
 protected:
  EvalLines() {
    const std::vector<code::SymbolRow> symbols = {function("a", 11, 20), function("b", 31, 40)};
    const std::vector<LineRange> lines = {{12, 13}, {40, 40}, {50, 51}};
    gold_.add("x.py", lines, symbols, 60);
  }
  GoldLines gold_;
};

TEST_F(EvalLines, CountChangedLinesThatAreShown) {
  EXPECT_DOUBLE_EQ(measure_lines(gold_, {{"x.py", {{12, 12}, {50, 60}}}}).lines, 3.0 / 5);
  EXPECT_DOUBLE_EQ(measure_lines(gold_, {{"y.py", {{1, 60}}}}).lines, 0);
  EXPECT_DOUBLE_EQ(measure_lines(gold_, {}).f1, 0);
}

TEST_F(EvalLines, AFunctionIsWholeOnlyWithAllItsLines) {
  const LineFigures one = measure_lines(gold_, {{"x.py", {{11, 20}, {31, 39}}}});
  EXPECT_EQ(one.any, 1);
  EXPECT_EQ(one.whole, 0);
  const LineFigures both = measure_lines(gold_, {{"x.py", {{11, 20}, {31, 40}}}});
  EXPECT_EQ(both.whole, 1);
  EXPECT_DOUBLE_EQ(both.precision, 1) << "everything shown belongs to them";
  EXPECT_DOUBLE_EQ(both.f1, 2 * 1 * (20.0 / 22) / (1 + 20.0 / 22));
}

TEST(EvalLinesOfCode, AFunctionHasAllItsCodeWithoutWhatDocumentsIt) {
  code::SymbolRow documented = function("a", 11, 40);
  documented.symbol.doc_start_line = 12;
  documented.symbol.doc_end_line = 30;
  GoldLines gold;
  gold.add("x.py", std::vector<LineRange>{{35, 35}}, std::vector<code::SymbolRow>{documented}, 60);
  const LineFigures code_alone = measure_lines(gold, {{"x.py", {{11, 14}, {31, 40}}}});
  EXPECT_EQ(code_alone.code, 1);
  EXPECT_EQ(code_alone.whole, 0);
  const LineFigures a_line_less = measure_lines(gold, {{"x.py", {{11, 30}, {32, 40}}}});
  EXPECT_EQ(a_line_less.code, 0);
  EXPECT_EQ(measure_lines(gold, {{"x.py", {{11, 40}}}}).code, 1);
}

TEST_F(EvalLines, WithoutAFunctionTheLinesOfAFileStandForOne) {
  GoldLines gold;
  gold.add("conf.py", std::vector<LineRange>{{3, 4}}, {}, 10);
  EXPECT_EQ(measure_lines(gold, {{"conf.py", {{3, 4}}}}).whole, 1);
  EXPECT_EQ(measure_lines(gold, {{"conf.py", {{4, 9}}}}).whole, 0);
}

TEST_F(EvalLines, LinesBeyondTheEndMeanTheLastOne) {
  GoldLines gold;
  gold.add("x.py", std::vector<LineRange>{{9, 12}}, {}, 10);
  EXPECT_EQ(gold.changed.at("x.py"), (std::set<uint32_t>{9, 10}));
}

TEST_F(EvalLines, FunctionsAreRankedAmongFunctions) {
  const std::vector<RankedPlace> ranking = {{"x.py", {1, 5}, false},
                                            {"y.py", {1, 9}, true},
                                            {"x.py", {31, 40}, true},
                                            {"x.py", {44, 52}, false},
                                            {"x.py", {11, 13}, false}};
  EXPECT_EQ(function_ranks(gold_, ranking), (std::vector<uint32_t>{3, 2}))
      << "a piece of a changed function counts as one, other stretches do not";
}

}  // namespace
}  // namespace knapsack

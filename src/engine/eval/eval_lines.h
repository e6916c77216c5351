// What a packet shows of the lines that a fix changed: the figures by lines of `eval`.
//
// lines      the share of changed lines that are shown
// whole      1 where all functions around changed lines are shown whole, `any` where one is; where no function
//            is around them, all changed lines of a file stand for one
// code       as whole, but what documents a function inside of it may be missing
// precision  the share of shown lines that belong to these functions; recall the share of theirs that is shown;
//            f1 their harmonic mean
// Pure functions over line numbers; no thread rule.
// Private to engine/eval/.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "code/index/curated_rows.h"
#include "packet/candidate.h"

namespace knapsack {

using ShownLines = std::map<std::string, std::vector<LineRange>>;  // by file, sorted

// A function with changed lines.
struct ChangedFunction {
  std::string file;
  LineRange lines;
  std::set<uint32_t> changed;
  LineRange documentation;  // (0, 0) where there is none
};

struct GoldLines {
  std::map<std::string, std::set<uint32_t>> changed;  // by file
  std::vector<ChangedFunction> functions;
  std::map<std::string, std::set<uint32_t>> outside;  // changed lines in no function

  bool empty() const { return changed.empty(); }
  // Adds the changed lines of one file, whose symbols and length are given.
  void add(const std::string& file, std::span<const LineRange> lines,
           std::span<const code::SymbolRow> symbols, uint32_t line_count);
};

struct LineFigures {
  double lines = 0, whole = 0, any = 0, code = 0, precision = 0, f1 = 0;
};
LineFigures measure_lines(const GoldLines& gold, const ShownLines& shown);

// Where a function came in a ranking of functions, from 1; 0 for nowhere.
struct RankedPlace {
  std::string file;
  LineRange lines;
  bool is_function = false;
};
std::vector<uint32_t> function_ranks(const GoldLines& gold, std::span<const RankedPlace> ranking);

}  // namespace knapsack

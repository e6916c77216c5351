// rank_units: the units of the best files in the order in which a task needs them.
//
// A score is a sum of named signals, each between 0 and 1 and weighted (code/units/unit_constants.h): where the
// file stands, the task's words in the unit, names, and what the task points at: frames, links, quoted lines,
// messages. Nothing but the files' texts and the index is read; the same inputs give the same order, and
// equal ones go by file and line. One thread at a time, as for CodeIndex.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "code/ask/file_texts.h"
#include "code/rank/file_ranking.h"
#include "code/units/unit_constants.h"
#include "code/units/units.h"

namespace knapsack::code {

// A file whose units are ranked.
struct UnitFile {
  uint32_t file = 0;
  uint32_t place = 0;  // in the ranking of files, from 0
  double score = 0;    // of the file, as a share of the best file's
  bool is_test = false;
};

struct RankedUnit {
  uint32_t file = 0;
  Unit unit;
  Score score;
  double by_words = 0;  // what the task's words in its text add to the score
  double key = 0;       // the score less what the unit costs: what the order goes by
  uint64_t cost = 0;    // tokens, estimated from its characters: the same whatever counts them later
  LineRange focus;      // the lines that matter most, where it is long; (0, 0): all of it
};

struct UnitRanking {
  std::vector<RankedUnit> units;      // best first; imports are not among them
  std::vector<RankedUnit> imports;    // of the first file, as they stand
  std::vector<std::string> problems;  // files that could not be read, a line each
};

// The files of a ranking that are cut, best first: as many as the constants say.
std::vector<UnitFile> files_to_cut(const std::vector<RankedFile>& ranked, const UnitConstants& constants);

// Tokens of a unit with this text, as RankedUnit::cost has them.
uint64_t estimated_cost(std::string_view text);

Result<UnitRanking> rank_units(CodeIndex& index, FileTexts& texts, const TaskQuery& task,
                               const std::vector<UnitFile>& files, const UnitConstants& constants = {});

}  // namespace knapsack::code

// The constants by which units of files are ranked and chosen for a task: one table, found by experiment on
// the development sets and round on purpose (docs/scoring.md).
//
// Plain data; no thread rule.
#pragma once

#include <span>
#include <string_view>

namespace knapsack::code {

struct UnitConstants {
  double files = 30;  // of the ranking are cut into units

  // What each signal adds at its best.
  double file_place = 1.5;  // 1 for the first file, 1/2 for the second, …
  double file_score = 1.2;  // as a share of the first file's
  double coverage = 1.5;    // how much of the task's words the unit has, by their weight
  double words = 1.0;       // BM25, as a share of the best unit of its file
  double chunk = 1.0;       // BM25 of the chunk around it, as a share of the task's best
  double name_words = 0.5;  // words of its name that the task has, by their weight
  double name_share = 0.5;  // … as a share of its name
  double name = 0.4;        // its name stands in the task
  double dotted = 0.6;      // "Class.name" stands in the task
  double owner = 0.5;       // its class stands in the task
  double frame = 1.2;       // a frame of a stack trace lies in it
  double linked = 1.0;      // a link to lines of it
  double quoted = 0.7;      // lines of it stand in the task
  double message = 1.0;     // texts that it prints stand in the task

  // What kinds that are rarely changed lose.
  double type = -1.0;
  double head = -0.5;
  double between = -0.2;
  double declared = -0.5;  // a function without a body: it stands elsewhere
  double test = -1.5;      // in a test, for a task that is not about tests
  double copy = -2.0;      // the same lines stand in a better file: built or vendored copies

  double repeat = -0.5;  // × the words' part of its score, where its lines stand in better units already

  double cost = 0.2;            // × ln(tokens): of two alike, the shorter one
  double stop = 2.0;            // so far below the best, a packet ends
  double stop_named = 3.0;      // … but not before a function that the task calls by its name
  double stop_frame = 4.0;      // … nor before one that a stack trace runs through
  double least = 300;           // … twice as far until so many tokens are shown
  double whole_class = 0.4;     // of a class that the task names: the rest comes with so much of it
  double comment = 0.5;         // so far below its unit, what a long comment spares is shown
  double comments_from = 4000;  // from so many tokens on, it comes with its unit
  double imports_from = 4000;   // from so many tokens on, the imports of the first file are shown
  double beside = 0.5;          // what a unit gains beside one that a smaller packet shows
  double beside_from = 4000;    // … from so many tokens on
  double deeper = 1.0;          // × what its file's score gave a unit, once more
  double deeper_from = 8000;    // … from so many tokens on
};

struct UnitConstantRow {
  std::string_view name;
  double UnitConstants::*value;
  std::string_view meaning;
};
std::span<const UnitConstantRow> unit_constant_rows();

}  // namespace knapsack::code

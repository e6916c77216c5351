// The signals of the ranking of units: how strongly each unit of the files that were cut answers to one
// aspect of a task. Private to code/units/; unit_ranking.h is the way in.
//
// A signal is one number a unit, in the order of UnitInput::units.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "code/ask/code_index.h"
#include "code/rank/task_terms.h"
#include "code/units/unit_ranking.h"

namespace knapsack::code {

struct OpenFile {
  UnitFile file;
  std::string_view path;
  std::string_view text;
  TextLines lines;
  std::vector<SymbolRow> symbols;
  std::vector<Unit> units;
  size_t first = 0;  // of its units among all
};

struct UnitPlace {
  uint32_t file = 0;  // into UnitInput::files
  uint32_t unit = 0;  // into its units
};

struct UnitInput {
  CodeIndex& index;
  const TaskQuery& task;
  TaskTerms terms;
  std::vector<OpenFile> files;   // best first
  std::vector<UnitPlace> units;  // of all files, by file and line

  const OpenFile& file_of(size_t unit) const { return files[units[unit].file]; }
  const Unit& unit(size_t number) const { return file_of(number).units[units[number].unit]; }
};

using UnitScores = std::vector<double>;

// A word of the task in a file, by which a long unit shows where it is about the task.
struct TermPlace {
  uint32_t line = 0;
  uint32_t term = 0;  // into WordSignals::weights
};

// unit_headers.cc: of each file the one whose place counts for it: for the bodies of what a better header declares, that
// header; else itself.
std::vector<size_t> files_that_lead(const UnitInput& input);

// unit_words.cc: words of the task in the text.
struct WordSignals {
  UnitScores coverage, words, chunk;
  std::vector<std::vector<TermPlace>> places;  // of each file, by line
  std::vector<double> weights;                 // of terms: weight in the task × how rare the word is
};
Result<WordSignals> word_signals(UnitInput& input);

// unit_names.cc: what units are called.
struct NameSignals {
  UnitScores words, share, name, dotted, owner;
};
Result<NameSignals> name_signals(UnitInput& input);

// unit_delegates.cc: what a short function that the task names hands all its work to gains as much as that by its name;
// not as a share, but as it is added.
UnitScores handed_on_scores(const UnitInput& input, const NameSignals& names, const UnitConstants& constants);

// unit_mentions.cc: what the task points at by file and line.
struct MentionSignals {
  UnitScores frame, linked;
  std::vector<uint32_t> lines;  // of each unit the line that the innermost frame in it tells; 0 for none
};
MentionSignals mention_signals(const UnitInput& input);

// unit_quotes.cc: what the task repeats of the text.
struct QuoteSignals {
  UnitScores quoted, message;
};
QuoteSignals quote_signals(const UnitInput& input);

// unit_copies.cc: what stands in a better file already.
UnitScores copy_signal(const UnitInput& input);

}  // namespace knapsack::code

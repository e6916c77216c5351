// rank_files: the files of a snapshot in the order in which a task needs them. One ranking serves retrieval,
// packets and `eval`.
//
// Two stages (docs/scoring.md). The first adds named signals, each between 0 and 1 and weighted: words of the
// task in chunks, file names, definitions and commit messages; files that stack traces, paths and issue
// numbers point to. What most tasks are not about (tests, documentation, examples) is then demoted. The
// second keeps the very best and re-ranks the rest by what changes with them or is imported by them. A score
// is the sum of its components. Nothing but the snapshot and its own history is read; the same snapshot and
// task give the same order, and equal scores go by path. One thread at a time, as for CodeIndex.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "code/ask/code_index.h"
#include "code/rank/ranking_constants.h"
#include "core/score.h"
#include "understand/task_query.h"

namespace knapsack::code {

struct RankedChunk {
  uint32_t chunk = 0;  // its position in the file
  double score = 0;    // BM25; comparable within one ranking
};

// How near the files of a snapshot are to a question in meaning, by whoever can compare them.
struct FileMeaning {
  std::vector<double> scores;  // one a file, the nearest 1; kUnknownMeaning where nobody has compared it yet
  std::vector<uint32_t> chunks;  // the nearest of each file
};
inline constexpr double kUnknownMeaning = -1;

// The component of a score for words of the task in a file's text.
inline constexpr const char* kLexicalPart = "lexical";
// The component of a score that holds the very best files in their places.
inline constexpr const char* kKeptFirst = "kept first";
// The score without it, which says nothing about how much better they are.
double earned_score(const Score& score);

struct RankedFile {
  uint32_t file = 0;
  Score score;
  std::vector<RankedChunk> chunks;  // those that match best, best first
  bool is_test = false;
  bool is_auxiliary = false;  // documentation, examples, scripts
};

// Each signal can be switched off, to measure what it gains.
struct RankingOptions {
  bool file_names = true;
  bool definitions = true;
  bool messages = true;    // what commit messages say of the files they changed
  bool references = true;  // issues and commits that the task names
  bool traces = true;
  bool paths = true;
  bool demotion = true;
  bool co_changes = true;
  bool test_co_changes = true;
  bool imports = true;
  bool meaning = true;
  const FileMeaning* near = nullptr;  // null: words decide alone
  RankingConstants constants;
  size_t limit = std::numeric_limits<size_t>::max();
};

// Files with no score at all are left out.
Result<std::vector<RankedFile>> rank_files(CodeIndex& index, const TaskQuery& task,
                                           const RankingOptions& options = {});

}  // namespace knapsack::code

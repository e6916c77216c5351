// The signals of the ranking: how strongly each file of a snapshot answers to one aspect of a task. Internal
// to code/; file_ranking.h is the way in.
//
// Every signal gives one number a file, the best 1 (where any file has one), the rest in proportion.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "code/ask/code_index.h"
#include "code/rank/file_ranking.h"
#include "code/rank/task_terms.h"
#include "code/walk/file_role.h"

namespace knapsack::code {

using FileScores = std::vector<double>;  // one a file of the snapshot

struct RankingInput {
  CodeIndex& index;
  const TaskQuery& task;
  const RankingConstants& constants;
  TaskTerms terms;
  std::vector<FileRole> roles;  // one a file
};

// Divides by the largest, so that the best file has 1.
void normalise(FileScores& scores);
// Best first, equal ones by number, which is by path; only files above zero.
std::vector<uint32_t> best_first(const FileScores& scores);

// rank_lexical.cc: BM25 over chunks, pooled.
struct LexicalScores {
  FileScores files;
  std::vector<std::vector<RankedChunk>> chunks;  // one list a file, best first
};
Result<LexicalScores> lexical_scores(RankingInput& input);

// rank_names.cc: BM25 over the names of files and of what they define. How rare a word is, is told by the
// bodies: a word that is rare there and stands in a file's name says much.
Result<FileScores> file_name_scores(RankingInput& input);
Result<FileScores> definition_scores(RankingInput& input);

// How many files hold a word of this stem in their bodies: as many as hold the commonest of its forms. A task's
// "setting" may be rare in code; the "set" that it finds in names is not.
Result<double> files_holding(const search::Index& code, const TaskTerm& term);

// rank_mentions.cc: files that the task points to.
Result<FileScores> trace_scores(const RankingInput& input);
Result<FileScores> path_scores(const RankingInput& input);

// rank_written.cc: files of classes that the task writes with their package.
FileScores qualified_scores(const RankingInput& input);
// True where a file only declares what the file of the same name beside it defines: X.d.ts beside X.js.
std::vector<bool> declaration_twins(const CodeIndex& index);

// rank_history.cc: what earlier commits say.
Result<FileScores> message_scores(RankingInput& input);
Result<FileScores> reference_scores(RankingInput& input);

// rank_meaning.cc: how near files are in meaning. One that was not compared yet counts as its words do, so that it
// neither gains nor loses by that.
FileScores meaning_scores(const FileMeaning& near, const FileScores& lexical);

// rank_neighbours.cc: what belongs to the files that are best so far.
struct RankedSoFar {
  const FileScores& scores;            // of the first stage, after demotion
  const std::vector<uint32_t>& order;  // best first
  const FileScores& lexical;
};
Result<FileScores> co_change_scores(RankingInput& input, const RankedSoFar& so_far);
Result<FileScores> test_co_change_scores(RankingInput& input, const RankedSoFar& so_far);
Result<FileScores> import_scores(RankingInput& input, const RankedSoFar& so_far);

}  // namespace knapsack::code

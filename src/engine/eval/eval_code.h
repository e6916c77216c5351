// RepositoryEvaluation: answers tasks on one repository, with its index in a state folder elsewhere.
//
// The repository is only read. Snapshots of all tasks share what they have in common. One thread.
// Private to engine/eval/.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "code/rank/file_ranking.h"
#include "code/units/unit_constants.h"
#include "engine/eval/eval.h"
#include "engine/eval/eval_lines.h"
#include "meaning/text_encoder.h"

namespace knapsack {

// A method of the ranking by its name; nothing for a name that is none.
std::optional<code::RankingOptions> ranking_of_method(std::string_view name);

class RepositoryEvaluation {
 public:
  struct Options {
    std::string repository;    // absolute
    std::string state_folder;  // exists
    std::vector<std::string> methods;
    std::map<std::string, double> constants;
    std::vector<size_t> budgets;
    Timestamp now;
    std::string model_file = {};  // of the encoder; empty: by words alone
  };
  RepositoryEvaluation(FileSystem& files, Options options);

  // One answer a method, in their order; none when no expected file is a program's source at the base commit.
  Result<std::vector<EvalAnswer>> answer(const EvalTask& task);

  double index_seconds() const { return index_seconds_; }

 private:
  Status index(const std::string& commit);
  // Makes the vectors of the snapshot that are missing; nothing where words alone shall decide.
  Result<std::optional<code::FileMeaning>> compare(code::CodeIndex& index, const TaskQuery& query);
  struct Question {
    const TaskQuery& query;
    const EvalTask& task;
    const std::vector<uint32_t>& gold;
    const code::FileMeaning* near = nullptr;
  };
  Result<EvalAnswer> ask(code::CodeIndex& index, const Question& question, const std::string& method,
                         bool first);
  Result<std::vector<code::RankedFile>> rank_by_fts(code::CodeIndex& index, const TaskQuery& query) const;
  Status add_budgets(code::CodeIndex& index, const TaskQuery& query,
                     const std::vector<code::RankedFile>& ranked, const std::vector<uint32_t>& gold,
                     const EvalTask& task, EvalAnswer& answer) const;
  Result<GoldLines> gold_lines(code::CodeIndex& index, const EvalTask& task) const;

  FileSystem& files_;
  Options options_;
  std::unique_ptr<meaning::TextEncoder> encoder_;  // opened when it is first asked for
  double index_seconds_ = 0;
  bool rules_checked_ = false;  // whether the index in the work folder is by the rules of today
};

}  // namespace knapsack

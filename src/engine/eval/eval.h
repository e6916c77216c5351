// evaluate: how good the ranking is, measured with tasks whose answers are known.
//
// Each task's repository is indexed at its base commit, in a folder of its own: the repositories are only
// read, and nothing that came after the commit is known to the answer. No model is asked. The same tasks give
// the same figures; only times differ. Answers are kept beside the report as they come, so that a run that
// was interrupted goes on where it stopped.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/files/file_system.h"
#include "core/result.h"
#include "engine/eval/eval_metrics.h"
#include "engine/eval/eval_tasks.h"

namespace knapsack {

struct EvalProgress {
  size_t done = 0;  // tasks
  size_t total = 0;
  std::string_view repository;  // of the task that was done last
};

struct EvalRequest {
  std::string tasks_file;         // JSONL; empty: from the history
  size_t from_git = 0;            // tasks a repository, from its newest commits
  bool from_outcomes = false;     // runs of this workspace of which it is known what was then changed
  std::vector<EvalTask> tasks;    // given as they are; empty: from the others
  std::string repositories;       // the folder that holds them
  std::string workspace;          // the one repository, where `repositories` is empty
  std::vector<std::string> only;  // these repositories alone
  std::vector<size_t> ks = {1, 3, 5, 10, 20};
  std::vector<size_t> budgets = {1000, 2000, 4000, 8000, 16000};
  std::vector<std::string> methods = {"full"};
  std::map<std::string, double> constants;  // by the names of `config --all`, instead of their own values
  std::string work_folder;                  // absolute; indexes are kept here
  std::string answers_file;                 // absolute; finished answers; empty: they are not kept
  std::string program;                      // the build that answers; what another one found is found anew
  std::string model_file;                   // of the encoder; empty: by words alone
  unsigned jobs = 0;                        // repositories at a time; 0: one a core
  Timestamp now;
  std::function<void(const EvalProgress&)> progress;
};

struct EvalMethodReport {
  std::string method;
  FigureTable overall;
  // By kind of group ("repository", "language"), then by group.
  std::map<std::string, std::map<std::string, FigureTable>> groups;
  int64_t p50_micros = 0, p95_micros = 0;              // of an answer
  int64_t first_p50_micros = 0, first_p95_micros = 0;  // of the first one from an index that was just opened
  std::vector<EvalAnswer> answers;                     // in the order of the tasks
};

struct EvalReport {
  std::string version;
  std::vector<EvalMethodReport> methods;
  std::vector<size_t> budgets;  // at which packets were measured by lines
  size_t tasks = 0;
  std::map<std::string, size_t> set_aside;  // tasks that nothing here can answer, by why: one line each
  size_t reused = 0;                        // answers that an earlier run had found
  double index_seconds = 0;
  double seconds = 0;
  std::vector<std::string> notes;  // one line each, for people

  size_t count_set_aside() const;
};

// The methods that can be compared, with what each leaves out.
struct EvalMethod {
  std::string_view name;
  std::string_view meaning;
};
std::vector<EvalMethod> eval_methods();

// The figures of one method's answers, overall and by group.
EvalMethodReport summarise_method(std::string name, std::vector<EvalAnswer> answers,
                                  std::span<const size_t> ks);

Result<EvalReport> evaluate(FileSystem& files, const EvalRequest& request);

std::string eval_report_json(const EvalReport& report);
// The figures that people look at first, or `all` of them.
std::string eval_report_markdown(const EvalReport& report, bool all);

}  // namespace knapsack

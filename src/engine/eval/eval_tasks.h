// Tasks with known answers: what `knapsack eval` measures with.
//
// One JSON object a line: {"id", "repo", "base_commit", "query", "gold_files": […], "gold_symbols": […]?}.
// Values only; no thread rule.
// Private to engine/eval/.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "packet/candidate.h"

namespace knapsack {

struct EvalTask {
  std::string id;
  std::string repository;   // "owner/name", or however --repos calls it
  std::string base_commit;  // the state in which the question was asked
  std::string query;
  std::vector<std::string> gold_files;
  // Lines of files before the change: what it removes or replaces, and the neighbours of what it inserts.
  std::map<std::string, std::vector<LineRange>> gold_lines;
  std::vector<std::string> gold_symbols;
};

// Every task, in order. kUsage names `shown_as`, the line and the field of the first row that is off.
Result<std::vector<EvalTask>> parse_eval_tasks(std::string_view jsonl, const std::string& shown_as);

// What makes two tasks the same, as one hash.
std::string fingerprint(const EvalTask& task);

}  // namespace knapsack

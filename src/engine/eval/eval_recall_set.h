// evaluate_recall_set: whether recall shows what answers a prompt, and nothing where nothing does.
//
// A set is {"now", "memories": [{"id", "day", "text", "replaces"?}], "prompts": [{"kind", "prompt", "answers"}]}; docs/recall.md
// describes it. Each memory is remembered on its day, in the order of the days, and what the rules say that it supersedes is
// superseded, as `knapsack remember --yes` would do; then every prompt is recalled as `knapsack recall` would, the
// planner included. No model is asked, nothing is written. The same file gives the same figures.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/files/file_system.h"
#include "engine/eval/eval.h"

namespace knapsack {

struct RecallSetFigures {
  size_t prompts = 0;
  size_t shown = 0;       // memories, over all prompts
  size_t right = 0;       // of these, those that answer
  size_t expected = 0;    // memories that answer, over all prompts
  size_t unanswered = 0;  // prompts that nothing answers
  size_t silent = 0;      // of these, those for which nothing was shown

  double precision() const {
    return shown == 0 ? 0 : static_cast<double>(right) / static_cast<double>(shown);
  }
  double recall() const {
    return expected == 0 ? 0 : static_cast<double>(right) / static_cast<double>(expected);
  }
};

struct RecallSetMiss {
  std::string prompt;
  std::vector<std::string> missing, wrong;  // ids
};

struct RecallSetMethodReport {
  std::string method;
  RecallSetFigures overall;
  std::map<std::string, RecallSetFigures> kinds;
  std::vector<RecallSetMiss> misses;
  // What was found to be superseded, against what the set says.
  size_t superseded = 0, rightly_superseded = 0, replaced = 0;
};

struct RecallSetReport {
  std::string version;
  std::vector<RecallSetMethodReport> methods;
};

// "full", "no-floor", "no-superseding" and "neither".
std::vector<EvalMethod> recall_set_methods();
// Whether a file looks like a set, and not like conversations: it is one JSON object.
bool is_recall_set(const FileSystem& files, const std::string& path);

// kUsage names the file and the first thing that is off, or an unknown method.
Result<RecallSetReport> evaluate_recall_set(const FileSystem& files, const std::string& path,
                                            const std::vector<std::string>& methods);

std::string recall_set_json(const RecallSetReport& report);
std::string recall_set_markdown(const RecallSetReport& report);

}  // namespace knapsack

// How an outcome looks in the ledger, and what a run with its outcomes says when they are read again. Pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/api/outcome_requests.h"
#include "engine/shown_content.h"

namespace knapsack {

std::string changes_json(const std::vector<OutcomeFile>& files);
std::vector<OutcomeFile> parse_changes(std::string_view json);

// A run with everything that is known of what came of it.
struct JudgedRun {
  StoredRun run;
  ShownContent shown;
  bool knows_changes = false;
  RunOutcome change;                 // the newest that names a change
  std::vector<OutcomeFile> files;    // of that
  std::string verdict;               // the newest one
  std::vector<std::string> missing;  // in the order in which it was said
};
// Runs with an outcome, in the order of the runs.
Result<std::vector<JudgedRun>> judged_runs(Ledger& ledger);

// What a run was asked, in words, whatever its command calls it.
std::string question_of(const RunRecord& run);

}  // namespace knapsack

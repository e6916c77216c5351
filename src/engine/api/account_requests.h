// What the ledger and the workspace tell about themselves. Plain data.
#pragma once

#include <string>
#include <vector>

#include "core/step_time.h"
#include "store/ledger/ledger.h"

namespace knapsack {

struct RunOutput {
  StoredRun run;
  std::string output;  // byte for byte
};

struct Explanation {
  StoredRun run;
  std::vector<std::string> warnings;
  std::vector<StepTime> times;
  std::vector<Decision> decisions;
  std::vector<std::string> answers;  // to --expect: a line for each candidate that was meant
};

struct WorkspaceStatus {
  std::string workspace;
  std::string found_by;  // what marked it: "--workspace", ".git"…
  std::string notes;     // in words
  std::string code;      // in words
  std::string graph;     // in words
  std::string memory;    // in words
  std::string meaning;   // in words
  std::string ledger;    // in words
  std::vector<StoredRun> last_runs;
};

struct SettingRow {
  std::string key;
  std::string value;
  std::string origin;  // "default", "knapsack.toml", "environment CTX_TOKEN_BUDGET", ".ctxrc", "--budget"
  std::string description;
};

}  // namespace knapsack

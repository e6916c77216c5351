// A retrieval and its refinements: what is asked, and what comes back. Plain data.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "code/index/index_report.h"
#include "core/step_time.h"
#include "engine/api/gathered.h"
#include "packet/packet.h"
#include "store/ledger/ledger.h"

namespace knapsack {

struct RetrieveRequest {
  std::string task;    // what is to be done, in words
  std::string stages;  // "scope,precision"
  // The budget: both numbers, or a file that holds them.
  std::optional<uint64_t> context_window;
  std::optional<uint64_t> reserved_tokens;
  std::optional<std::string> budget_config;
  // A model, or the word that there is none.
  std::string model;
  std::string base_url;
  bool no_model = false;

  std::string revision;           // a commit instead of the work tree; it must have been indexed
  std::string task_id;            // empty: derived from the request
  std::vector<std::string> also;  // folders of linked repositories; empty: those of the engine
  std::string format = "md";      // md, prompt or json
  bool fill = false;              // use the budget up: go on where the code stops being close to the task
  bool refresh = true;            // bring the index of the work tree up to date first
  bool dry_run = false;           // keep nothing: no session to refine, no row in the ledger
  std::map<std::string, std::string> settings;
  std::function<void(const code::IndexProgress&)> progress;  // of that
  std::stop_token stop;                                      // the answer is not wanted any more
};

struct RetrieveReply {
  Packet packet;
  std::string output;
  std::optional<int64_t> run;
  std::vector<std::string> notices;  // one line each, for people
  std::vector<std::string> details;  // what each stage did, for who asks (-v)
  std::vector<StepTime> times;
};

using GatheredRetrieval = Gathered<RetrieveReply>;

// What was missing in the packet of a task. Every name that can be resolved is in the next packet.
struct RefineRequest {
  std::string task_id;
  std::string
      request_json;  // {"reason", "missing_files", "missing_symbols", "missing_tests", "error_signatures"}
  std::string test_output;  // what a test run printed: its failures are asked for as well; may stand alone
  std::string format = "md";
  std::optional<uint64_t> budget;  // of the next packet; nothing: that of the retrieval
  bool refresh = true;
  bool dry_run = false;  // keep nothing: the session stays as it is, no row in the ledger
  std::map<std::string, std::string> settings;
  std::function<void(const code::IndexProgress&)> progress;
  std::stop_token stop;
};

}  // namespace knapsack

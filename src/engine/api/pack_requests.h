// What Engine::pack is asked and what it answers. Plain data; no thread rule.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "code/index/index_report.h"
#include "code/walk/path_patterns.h"
#include "engine/api/gathered.h"
#include "engine/api/graph_requests.h"
#include "packet/budget.h"
#include "packet/packet.h"

namespace knapsack {

// Long enough for the first index of most repositories; an agent that waits gives up not much later.
inline constexpr std::chrono::seconds kPackIndexDeadline{60};

struct PackRequest {
  std::string task;           // what is to be done, in words
  std::string sources;        // "code,notes,memory,graph"; empty: all that are there
  std::string format = "md";  // md, prompt or json
  // Instead of a task, or beside it: what a reviewer needs of what the work tree has changed since this commit ("": HEAD).
  std::optional<std::string> diff;
  bool staged = false;            // … of what is staged
  std::string revision;           // the code of this commit instead of the work tree
  code::PathPatterns paths;       // of the code
  std::vector<std::string> full;  // files that are wanted whole, before everything else
  bool fill = false;              // use the budget up: go on where the code stops being close to the task
  bool refresh = true;            // bring the code index up to date first
  bool dry_run = false;           // the ledger does not hear of it
  // For reading files before that; what is there is used then.
  std::chrono::milliseconds index_deadline = kPackIndexDeadline;
  // A model that judges what of the code is needed.
  bool judge = false;
  std::string model, base_url;
  std::map<std::string, std::string> settings;  // values that the caller gave, by key ("pack.budget")
  std::function<void(const code::IndexProgress&)> progress;  // of the index
  std::stop_token stop;                                      // the answer is not wanted any more
};

struct PackReply {
  Packet packet;
  std::string output;
  std::optional<int64_t> run;
  std::vector<std::string> notices;  // one line each, for people
  std::vector<std::string> details;  // what each source gave, for who asks (-v)
  std::vector<StepTime> times;
};

using GatheredPack = Gathered<PackReply>;

}  // namespace knapsack

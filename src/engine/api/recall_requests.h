// What Engine::recall is asked and what it answers. Plain data; no thread rule.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/api/gathered.h"
#include "engine/api/graph_requests.h"
#include "packet/packet.h"

namespace knapsack {

struct RecallRequest {
  std::map<std::string, std::string> settings;  // by setting key: "recall.max_tokens", "memory.namespace"
  std::string prompt;
  std::string mode = "auto";  // or no_recall, minimal, full, graph_mode
  std::string as_of;          // a date or time; empty: now
  bool history = false;       // show what was superseded too; some words of a prompt ask for it as well
  std::string format = "md";  // md, prompt or json
  bool explain = false;       // add the account of every memory to the output
  bool dry_run = false;       // write nothing: no access counts, no ledger
  // The model that recall.rerank asks.
  std::string model;
  std::string base_url;
  // The embedding model; without one memories are found by words.
  std::string embed_model;
  std::string embed_url;
};

struct RecallReply {
  Packet packet;
  std::string output;                // what to print; empty where nothing is to be recalled
  std::string mode, rule;            // how much was recalled, and the rule that decided it
  std::optional<int64_t> run;        // its number in the ledger; nothing where it was not written
  std::vector<std::string> notices;  // one line each, for people
  std::vector<StepTime> times;
};

using GatheredRecall = Gathered<RecallReply>;

}  // namespace knapsack

// The packet of project notes: what is asked, and what comes back. Plain data.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/step_time.h"
#include "engine/api/gathered.h"
#include "packet/packet.h"
#include "store/ledger/ledger.h"

namespace knapsack {

struct AgentRequest {
  std::map<std::string, std::string>
      settings;               // values that the caller gave, by setting key ("notes.budget")
  std::string format = "md";  // md or json
  std::string task;           // what the agent is about to do; empty: the tasks themselves say
  std::string session;        // empty: no cooldown
  bool explain = false;       // add the account of every entry to the output
  bool dry_run = false;       // the ledger does not hear of it
};

struct AgentReply {
  Packet packet;
  std::string output;                // what to print; empty during a cooldown
  bool cooling_down = false;         // the session was given a packet a moment ago
  std::optional<int64_t> run;        // its number in the ledger; nothing when the ledger could not be written
  std::vector<std::string> notices;  // one line each, for people
  std::vector<StepTime> times;
};

using GatheredNotes = Gathered<AgentReply>;

struct NotesFile {
  std::string name;  // below the notes folder: "DECISIONS.md"
  std::string text;  // secrets replaced
};

}  // namespace knapsack

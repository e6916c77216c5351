// What the graph recipes of Engine are asked and what they answer. Plain data; no thread rule.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/step_time.h"
#include "engine/api/gathered.h"
#include "packet/packet.h"

namespace knapsack {

struct GraphRequest {
  std::map<std::string, std::string> settings;  // values that the caller gave, by setting key ("graph.dir")
};

struct GraphInitReply {
  std::string folder;
  bool created = false;  // something was missing before
};

struct GraphPutRequest {
  std::map<std::string, std::string> settings;
  std::string nodes;  // one JSON object, a list of them, or one a line
};

struct GraphPutReply {
  struct Node {
    std::string id;
    int64_t rev = 0;
  };
  std::string commit_id;
  std::string context_pack;  // where it was written
  std::vector<Node> nodes;   // in the order they were given
};

struct GraphShowRequest {
  std::map<std::string, std::string> settings;
  std::string id;  // in any case
};

struct GraphShowReply {
  std::string text;  // for people: secrets replaced, with who refers to it
  std::string json;  // the latest revision exactly as it is stored, indented: what `put` takes back
};

struct GraphFinding {
  bool error = true;  // breaks a rule of the store; otherwise it works and may surprise
  std::string file;   // empty where it is about the whole store
  uint64_t line = 0;  // 0 where it is about the whole file
  std::string reason;
};

struct GraphValidateReply {
  std::vector<GraphFinding> findings;
  size_t knowledge = 0, decisions = 0, tasks = 0;  // nodes
  size_t revisions = 0, commits = 0;
  size_t errors = 0;
};

struct GraphPackRequest {
  std::map<std::string, std::string> settings;
  std::string request;                   // what is wanted, in words
  std::string intent = "auto";           // or plan, execute, explain, debug, research
  std::optional<std::string> commit_id;  // recent changes start here
  bool suggest_clarify = true;
  bool apply_clarify_task = false;  // write the task that asks for what is missing
  std::optional<uint64_t> budget;   // in tokens; nothing: everything in full
  bool dry_run = false;             // write nothing at all, not even to the ledger
  bool keep_copy = true;            // in the graph's folder; without, only the ledger hears of it
  std::string format = "md";        // md, prompt or json
};

struct GraphPackReply {
  Packet packet;
  std::string output;    // what to print
  std::string document;  // the same as JSON, for the copy in the graph's folder
  std::string request_id;
  std::string clarify_task_id;  // of the task that asks for what is missing; empty where none was written
  std::optional<int64_t> run;   // its number in the ledger; nothing where it was not written
  std::vector<std::string> notices;  // one line each, for people
  std::vector<StepTime> times;
};

using GatheredGraph = Gathered<GraphPackReply>;

}  // namespace knapsack

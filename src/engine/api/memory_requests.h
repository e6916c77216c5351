// What the memory recipes of Engine are asked and what they answer. Plain data; no thread rule.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/api/graph_requests.h"
#include "packet/candidate.h"

namespace knapsack {

struct RememberRequest {
  std::map<std::string, std::string> settings;  // by setting key: "memory.dir", "memory.namespace"
  std::string text;
  std::string category;              // empty: its words tell
  std::optional<double> importance;  // 0 to 1; nothing: its words tell
  std::optional<double> confidence;  // 0 to 1
  std::vector<std::string> tags;
  std::vector<std::string> supersedes;  // ids of the same namespace
  bool supersede_contradicted = false;  // also those that it contradicts, by rule
  bool dry_run = false;                 // write nothing: only tell what it contradicts
};

// A memory that a new one seems to contradict.
struct ContradictedMemory {
  std::string id, title;
  std::string because;  // in words
};

struct RememberReply {
  std::string id;
  std::string path;  // as somebody in the workspace would open it
  std::string category;
  double importance = 0;
  double confidence = 0;
  std::string entity;
  std::string artifact;  // the id of its verbatim copy; empty for none
  std::vector<std::string> superseded;
  std::vector<ContradictedMemory> contradicts;  // and that stay as they are
  bool duplicate = false;                       // nothing was written: this one says the same already
  std::string delivery;                         // to a team: "delivered" or "queued"; empty: not to a team
  std::vector<std::string> notices;             // one line each, for people
};

struct ForgetRequest {
  std::map<std::string, std::string> settings;
  std::string id;      // or its path in the memory folder
  bool purge = false;  // delete the file instead of marking it
};

struct ForgetReply {
  std::string id;
  std::vector<std::string> purged;  // the files that are gone
};

struct FeedbackRequest {
  std::map<std::string, std::string> settings;
  std::string id;
  bool useful = true;
};

struct FeedbackReply {
  std::string id;
  uint64_t useful = 0;
  uint64_t not_useful = 0;
};

struct MemoryListRequest {
  std::map<std::string, std::string> settings;
  std::string status = "active";  // or another one, or "all"
  std::string category;           // empty: all
  std::string tag;                // empty: all
  bool copies = false;            // verbatim copies too, which repeat other memories
  uint64_t limit = 50;            // the newest ones
};

struct MemoryRow {
  std::string id, name_space, path, category, status, kind, created, title;
  std::optional<double> importance;
  std::vector<std::string> tags;
};

struct MemoryListReply {
  std::string folder;           // how messages name it
  std::vector<MemoryRow> rows;  // the newest first
  uint64_t matching = 0;        // of which the rows are the newest
  uint64_t all = 0;             // that may be read
  std::vector<std::string> warnings;
  std::vector<StepTime> times;
};

// The memories that somebody may mean by an id, a path or words.
struct MemoryMatchRequest {
  std::map<std::string, std::string> settings;
  std::string named;
  uint64_t limit = 10;
};

struct MemoryMatchReply {
  bool exact = false;           // `named` is the id or the path of the only row
  std::vector<MemoryRow> rows;  // best first
};

struct MoveMemoriesRequest {
  std::map<std::string, std::string> settings;
  std::string from;  // a memory folder, on disk
};

struct MoveMemoriesReply {
  std::string to;      // how messages name it
  uint64_t files = 0;  // that are there now
  std::vector<std::string> notices;
};

struct MemoryShowRequest {
  std::map<std::string, std::string> settings;
  std::string id;
};

struct MemoryShowReply {
  std::string text;  // for people: secrets replaced
  std::string json;  // all that was read of it, secrets included
};

struct ProfileRequest {
  std::map<std::string, std::string> settings;
  std::optional<std::string> text;  // what the profile shall be from now on
};

struct ProfileReply {
  std::string path;  // on disk
  std::string text;  // empty when there is none
  bool exists = false;
};

struct EmbedRequest {
  std::map<std::string, std::string> settings;
  size_t threads = 1;
  std::function<bool()> stop;  // asked often; what was made by then stays
  std::function<void(Source source, size_t done, size_t total)> progress;  // memories, then files of code
};

struct EmbedReply {
  std::string model;       // empty: there is none, or it is switched off
  size_t memories = 0;     // that have a vector now, …
  size_t total = 0;        // … of so many
  size_t files = 0;        // of code, all of whose parts have one, …
  size_t total_files = 0;  // … of so many
  bool busy = false;       // another process makes them
};

}  // namespace knapsack

// What the team recipes of Engine are asked and what they answer. Plain data; no thread rule.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/api/graph_requests.h"

namespace knapsack {

struct TeamRequest {
  std::map<std::string, std::string> settings;  // by setting key: "team.url"
};

struct TeamInitReply {
  std::string server;  // for people; no password
  int version = 0;     // of the schema
  int steps = 0;       // that were done now
};

struct TeamGrantRequest {
  std::map<std::string, std::string> settings;
  std::string role;
  std::string
      name_space;     // "team:shop" or "shop"; "repo:shop" for a repository, "ledger" for the ledger of runs
  std::string right;  // read or write
  std::optional<bool>
      review;  // whether new memories of the namespace wait for somebody else; nothing: as it is
};

struct TeamGrantReply {
  std::string role, name_space, right;
};

struct TeamNamespaceRow {
  std::string name_space;  // "team:shop"
  bool may_write = false;
  bool review = false;
};

struct TeamStatusReply {
  std::string server;   // empty: none is named
  std::string problem;  // why the server cannot be asked; empty where it answered
  int version = 0;
  std::string role;
  std::vector<TeamNamespaceRow> namespaces;
  std::optional<std::string> synced;  // when the copy was last brought up to date
  std::string age;                    // … in words
  uint64_t copied = 0;                // memories in it
  uint64_t waiting = 0;               // in the outbox
};

struct TeamSyncReply {
  uint64_t delivered = 0, waiting = 0, changed = 0;
  std::string problem;  // why it is not complete: the server does not answer; empty where it is
  std::vector<std::string> refused, warnings;
};

struct TeamRepositoryRequest {
  std::map<std::string, std::string> settings;
  std::string name;
  std::string source;  // where it comes from, for people and for who keeps the mirrors; a URL or a path
  std::string commit;  // of team_pushed(): the one to be published
};

struct TeamRepositoryReply {
  std::string name, commit;
  bool queued = false;  // a job was made; false: one waits already, or it is published
};

struct TeamRepositoryRow {
  std::string name, source;
  std::string commit, published;  // the newest, and when; empty: none is
  uint64_t snapshots = 0, stored = 0;
  uint64_t waiting = 0, failed = 0;
  std::string problem;  // of the last job that is not done
};

struct WorkerRequest {
  std::map<std::string, std::string> settings;
  std::string mirrors;  // holds NAME or NAME.git for each repository
  unsigned jobs = 1;    // at once
  bool once = false;    // ends when there is no job
  uint64_t max_cache_bytes = 0;
  std::stop_token stop;
  std::function<void(const std::string& line)> tell;  // from several threads
};

struct PromoteRequest {
  std::map<std::string, std::string> settings;
  std::string id;  // of a memory of one's own
  std::string to;  // "team:shop"
};

}  // namespace knapsack

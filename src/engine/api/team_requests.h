// What the team recipes of Engine are asked and what they answer. Plain data; no thread rule.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
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
  std::string name_space;  // "team:shop" or "shop"
  std::string right;       // read or write
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

struct PromoteRequest {
  std::map<std::string, std::string> settings;
  std::string id;  // of a memory of one's own
  std::string to;  // "team:shop"
};

}  // namespace knapsack

// What the recipes of capturing and reviewing memories are asked and what they answer. Plain data; no thread rule.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/api/memory_requests.h"

namespace knapsack {

struct CaptureRequest {
  std::map<std::string, std::string> settings;
  std::string transcript;  // its bytes: JSON lines of Claude Code or Codex, or "User: …" in plain text
  bool remember = false;   // straight into the tree, because the user says so
  bool dry_run = false;    // write nothing
};

struct ProposedMemory {
  std::string id;  // empty where nothing was written
  std::string category, text;
  std::string because;  // the words that told
};

struct CaptureReply {
  size_t turns = 0;        // that were read
  size_t passed_over = 0;  // lines that are no turn
  std::vector<ProposedMemory> proposals;
  size_t known = 0;                   // sentences that are remembered, wait, or were refused before
  std::string episode;                // the id of the session's episode; empty for none
  std::string folder;                 // how messages name the memory folder
  std::vector<std::string> warnings;  // what a model that was named did not do
};

struct ReviewRequest {
  std::map<std::string, std::string> settings;
  std::vector<std::string> accept, refuse;  // ids; "all" means every one
};

struct ReviewReply {
  std::vector<MemoryRow> waiting;  // after what was asked for
  std::vector<std::string> accepted, refused;
  std::string folder;
};

}  // namespace knapsack

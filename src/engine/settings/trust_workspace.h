// `knapsack trust`: lets a workspace's knapsack.toml, as it is now, set more than preferences; lists what is
// trusted, or takes it back. Opens no store, so it needs no Engine.
#pragma once

#include <string>
#include <vector>

#include "engine/api/engine_options.h"

namespace knapsack {

enum class TrustAction { kTrust, kList, kRevoke };

struct TrustReply {
  std::vector<std::string> allowed;     // by kTrust: what knapsack.toml may set from now on, a line each
  std::vector<std::string> workspaces;  // by kList: those that are trusted
  size_t revoked = 0;                   // by kRevoke: how many versions of the file were trusted
};

Result<TrustReply> trust_workspace(FileSystem& files, const EngineOptions& options, TrustAction action);

}  // namespace knapsack

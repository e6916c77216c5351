// Serving a workspace until a signal ends it: what `serve` and `ui` share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "engine/published/published_repositories.h"
#include "serve/http/http_server.h"

namespace knapsack::cli {

struct ServeOptions {
  serve::HttpAddress address;
  std::vector<std::string> hosts;
  std::string token_file;
  bool no_token = false;
  bool team = false;  // answers for the repositories that a team has published
  uint64_t cache_megabytes = kDefaultCacheBytes >> 20U;
  std::string page_key;  // lets in one page of the inspector, once; empty: there is none
  // Told where it listens, before anybody is served; nothing: a line on standard error says so.
  std::function<void(const std::string& url)> listening;
};

void add_ui(Command program, Shared& shared);

// The exit code.
Result<int> serve_workspace(const Shared& shared, const ServeOptions& options);

}  // namespace knapsack::cli

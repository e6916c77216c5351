#include "serve/mcp/mcp.h"

namespace knapsack::serve {

std::string McpSession::version() const {
  const std::lock_guard lock(mutex_);
  return version_;
}

void McpSession::start(std::string version) {
  const std::lock_guard lock(mutex_);
  version_ = std::move(version);
}

std::optional<std::stop_token> McpSession::begin(const Json& id) {
  const std::lock_guard lock(mutex_);
  const auto [running, is_new] = running_.try_emplace(rpc::line_of(id));
  if (!is_new) return std::nullopt;
  return running->second.get_token();
}

void McpSession::end(const Json& id) {
  const std::lock_guard lock(mutex_);
  running_.erase(rpc::line_of(id));
}

void McpSession::cancel(const Json& id) {
  // What a stop sets off must not run under our lock.
  std::stop_source source(std::nostopstate);
  {
    const std::lock_guard lock(mutex_);
    const auto found = running_.find(rpc::line_of(id));
    if (found == running_.end()) return;
    source = found->second;
  }
  source.request_stop();
}

void McpSession::cancel_all() {
  std::vector<std::stop_source> sources;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, source] : running_) sources.push_back(source);
  }
  for (std::stop_source& source : sources) source.request_stop();
}

}  // namespace knapsack::serve

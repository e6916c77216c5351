// GraphSession: one request's hold on the graph: its folder, its lock, and what was read of it.
//
// Whoever may write takes the lock first and finishes what an interrupted change left; whoever only reads
// takes none. One request, one session, one thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "engine/engine_state.h"
#include "graph/store/graph_reader.h"
#include "graph/store/store.h"
#include "store/file_lock.h"

namespace knapsack {

class GraphSession {
 public:
  enum class Access { kRead, kWrite };

  // Finds the folder; creates nothing.
  static Result<GraphSession> open(Engine::State& state, const std::map<std::string, std::string>& flags);

  // Waits for other writers and finishes what one of them could not.
  Status lock();
  // The same where a change was interrupted and it can be done; who only reads goes on without.
  void finish_interrupted_change();
  // The graph as it is now. With kWrite a large one is indexed for the next time.
  Status read(Access access);
  // The latest revision of a node, and the same without secrets.
  Result<nlohmann::json> stored_node(uint32_t number) const;
  Result<nlohmann::json> shown_node(uint32_t number, uint64_t& secrets) const;
  // No more of it than its title line says.
  Result<nlohmann::json> shown_heading(uint32_t number, uint64_t& secrets) const;

  FileSystem& files() const { return *state_->files; }
  Engine::State& state() const { return *state_; }

  Settings settings;
  std::string folder;
  std::string shown_as;  // how messages name the folder
  graph::StoreView view;
  graph::GraphIndex index;

 private:
  explicit GraphSession(Engine::State& state) : state_(&state) {}
  Status check_read(const nlohmann::json& node, uint32_t number) const;

  Engine::State* state_;
  std::optional<FileLock> lock_;
};

// Replaces the secrets in every text of a JSON value, names of fields included; how many there were.
uint64_t redact_json(nlohmann::json& value);

// In words, for `status`.
std::string describe_graph(Engine::State& state, const Settings& settings, const SettingsRequest& request);

}  // namespace knapsack

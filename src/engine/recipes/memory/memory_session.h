// MemorySession: one request's hold on the memory tree: its folder, its lock, and what was read of it.
//
// Whoever writes takes the writer first and reads afterwards; whoever only reads takes none. One request, one
// session, one thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>

#include "engine/engine_state.h"
#include "engine/settings/memory_place.h"
#include "memory/tree/catalogue.h"
#include "memory/tree/tree.h"
#include "memory/tree/tree_writer.h"

namespace knapsack {

class MemorySession {
 public:
  // Finds the folder. Creates nothing, but brings over what an earlier version left in the state folder.
  static Result<MemorySession> open(Engine::State& state, const std::map<std::string, std::string>& flags);

  // Creates the folder where it is missing, and waits for other writers.
  Result<memory::TreeWriter> writer() const;
  // Every memory as it is now. Derived files are kept under the state folder where that can be written.
  Result<memory::Catalogue> catalogue() const;
  // Removes the derived files: what was purged must not stay in them.
  Status discard_derived() const;
  // Notes that these were recalled, by path. They are on disk when this returns.
  Status record_accesses(std::span<const std::string> paths) const;

  // The profile of the first namespace, from the memory folder.
  std::string profile_path() const;
  // The namespaces that a recall reads: those that were asked for, everybody's, and those of teams.
  std::vector<std::string> read_namespaces() const;
  const std::string& own_namespace() const { return rules.namespaces.front(); }
  // A path of the tree as somebody in the workspace would open it.
  std::string shown(const std::string& path) const { return join_path(shown_as, path); }

  FileSystem& files() const { return *state_->files; }
  Engine::State& state() const { return *state_; }

  Settings settings;
  std::string folder;
  MemoryPlace place;     // … and how it was found
  std::string shown_as;  // how messages name the folder
  memory::ReadRules rules;
  std::string team_root;  // what is kept of the team's server; empty: there is none
  std::string team_line;  // how old the copy of the teams' memories is, in words; empty: none is read

 private:
  explicit MemorySession(Engine::State& state) : state_(&state) {}
  void bring_former_memories();
  void find_teams();
  void refresh_teams(std::optional<Timestamp> synced) const;
  memory::CatalogueRequest catalogue_request() const;

  Engine::State* state_;
};

// All that was read of a memory.
nlohmann::ordered_json memory_json(const memory::Memory& memory);

// What a list shows of it.
MemoryRow memory_row(const memory::Memory& memory);

// The first line of its text without Markdown marks, shortened.
std::string memory_title(const memory::Memory& memory);

// In words, for `status`.
std::string describe_memory(Engine::State& state, const Settings& settings, const SettingsRequest& request);

}  // namespace knapsack

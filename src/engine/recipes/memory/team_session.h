// TeamSession: one request's hold on a team's server and on what this machine has of it. Internal to engine/.
//
// What send() answered for is on disk; whether the server has it yet is in the answer. One request, one thread.
#pragma once

#include <chrono>
#include <string>

#include "engine/recipes/memory/memory_session.h"
#include "engine/settings/team_place.h"
#include "team/cached_copy.h"
#include "team/outbox.h"
#include "team/sync.h"

namespace knapsack {

class TeamSession {
 public:
  // kUsage where no server is named.
  static Result<TeamSession> open(Engine::State& state, const std::map<std::string, std::string>& flags);

  team::Outbox outbox() const { return team::Outbox(*state_->files, join_path(root, "outbox")); }
  team::CachedCopy copy() const { return team::CachedCopy(*state_->files, root); }
  Result<team::SyncReport> sync(std::chrono::milliseconds time) const;

  // A memory of one's own as one of a team, by whoever works here.
  team::TeamMemory memory_of(const memory::Memory& memory, const std::string& team) const;
  // Puts it into the outbox and tries to deliver it.
  Result<RememberReply> send(team::TeamMemory memory) const;

  team::ServerAddress address;
  std::string root;
  std::string cache;  // the folder for what can be fetched again

 private:
  explicit TeamSession(Engine::State& state) : state_(&state) {}
  Engine::State* state_;
  std::string author_;
};

}  // namespace knapsack

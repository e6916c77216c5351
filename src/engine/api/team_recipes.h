// TeamRecipes: memories and published indexes that a team shares. A part of Engine (engine/engine.h), which owns the state; one thread at a time.
#pragma once

#include "core/result.h"
#include "engine/api/memory_requests.h"
#include "engine/api/team_requests.h"

namespace knapsack {

struct EngineState;

class TeamRecipes {
 public:
  // Memories that a team shares on a PostgreSQL server. Without the server everything else works: team_sync() and
  // team_status() say so, and what is remembered for a team waits on disk.
  Result<TeamInitReply> team_init(const TeamRequest& request);
  Result<TeamGrantReply> team_grant(const TeamGrantRequest& request);
  Result<TeamStatusReply> team_status(const TeamRequest& request);
  Result<TeamSyncReply> team_sync(const TeamRequest& request);
  // Repositories whose indexes are published. Adding one, and a push, make jobs; work() does them until it is stopped.
  Result<TeamRepositoryReply> team_add_repository(const TeamRepositoryRequest& request);
  Result<std::vector<TeamRepositoryRow>> team_repositories(const TeamRequest& request);
  Result<TeamRepositoryReply> team_pushed(const TeamRepositoryRequest& request);
  Status work(const WorkerRequest& request);
  // Copies a memory of one's own to a team, with where it comes from.
  Result<RememberReply> promote(const PromoteRequest& request);

 protected:
  explicit TeamRecipes(EngineState& state) : state_(&state) {}
  ~TeamRecipes() = default;

 private:
  EngineState* state_;
};

}  // namespace knapsack

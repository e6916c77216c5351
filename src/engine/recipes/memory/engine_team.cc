// The methods of Engine that speak to a team's server.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/escape.h"
#include "engine/recipes/memory/team_session.h"
#include "memory/tree/remember.h"
#include "team/database.h"
#include "team/migrations.h"
#include "team/published.h"

namespace knapsack {
namespace {

// Whoever sets a server up or asks for its state waits for it.
constexpr std::chrono::seconds kAskTime{20};
constexpr std::chrono::seconds kSyncTime{300};  // a first copy of a large team
constexpr std::string_view kRepositoryPrefix = "repo:", kLedger = "ledger";

}  // namespace

Result<TeamInitReply> TeamRecipes::team_init(const TeamRequest& request) {
  KNAPSACK_TRY(const TeamSession session, TeamSession::open(*state_, request.settings));
  const team::Deadline deadline = team::deadline_in(kAskTime);
  KNAPSACK_TRY(team::Connection connection, team::Connection::open(session.address, deadline));
  TeamInitReply reply;
  reply.server = session.address.shown;
  KNAPSACK_TRY(reply.steps, team::migrate(connection, deadline));
  reply.version = team::newest_schema();
  return reply;
}

Result<TeamGrantReply> TeamRecipes::team_grant(const TeamGrantRequest& request) {
  KNAPSACK_TRY(const TeamSession session, TeamSession::open(*state_, request.settings));
  if (request.right != "read" && request.right != "write") {
    return Error{ErrorCode::kUsage, fmt::format("unknown right '{}'", escape_control(request.right)),
                 "choose read or write"};
  }
  const bool writes = request.right == "write";
  const std::string& what = request.name_space;
  const bool is_repository = what.starts_with(kRepositoryPrefix), is_ledger = what == kLedger;
  if ((is_repository || is_ledger) && request.review)
    return Error{ErrorCode::kUsage, "`review` is for the memories of a team", "leave it out"};
  if (is_ledger && writes)
    return Error{ErrorCode::kUsage, "the ledger is written by the program alone", "grant read"};
  const std::string team = what.starts_with(team::kTeamPrefix) ? what.substr(team::kTeamPrefix.size()) : what;
  if (!is_repository && !is_ledger && !team::is_team_name(team)) {
    return Error{
        ErrorCode::kUsage, fmt::format("'{}' is not a name for a team", escape_control(team)),
        fmt::format("give lower-case letters, digits, '-', '_' and '.', at most {}", team::kMaxTeamName)};
  }
  const team::Deadline deadline = team::deadline_in(kAskTime);
  KNAPSACK_TRY(team::Connection connection, team::Connection::open(session.address, deadline));
  KNAPSACK_CHECK(team::check_schema(connection, deadline));
  if (is_ledger) {
    KNAPSACK_CHECK(team::grant_ledger(connection, request.role, deadline));
    return TeamGrantReply{request.role, "the ledger of runs", request.right};
  }
  if (is_repository) {
    KNAPSACK_CHECK(team::grant_repository(connection, request.role, what.substr(kRepositoryPrefix.size()),
                                          writes, deadline));
    return TeamGrantReply{request.role, what, request.right};
  }
  KNAPSACK_CHECK(team::grant(connection, {request.role, team, writes, request.review}, deadline));
  return TeamGrantReply{request.role, std::string(team::kTeamPrefix) + team, request.right};
}

Result<TeamStatusReply> TeamRecipes::team_status(const TeamRequest& request) {
  KNAPSACK_TRY(const TeamSession session, TeamSession::open(*state_, request.settings));
  TeamStatusReply reply;
  reply.server = session.address.shown;
  const auto copied = session.copy().state();
  if (copied) {
    reply.role = copied->role;
    reply.copied = copied->known;
    reply.synced = format_rfc3339(Timestamp::from_seconds(copied->synced.seconds()));
    reply.age = age_in_words(copied->synced, state_->clock->now());
  }
  reply.waiting = session.outbox().count();
  std::vector<team::TeamNamespace> namespaces;
  const auto ask = [&]() -> Status {
    const team::Deadline deadline = team::deadline_in(kAskTime);
    KNAPSACK_TRY(team::Connection connection, team::Connection::open(session.address, deadline));
    KNAPSACK_CHECK(team::check_schema(connection, deadline));
    KNAPSACK_TRY(reply.version, team::schema_version(connection, deadline));
    KNAPSACK_TRY(reply.role, team::my_role(connection, deadline));
    KNAPSACK_TRY(namespaces, team::my_namespaces(connection, deadline));
    return ok_status();
  };
  if (const Status asked = ask(); !asked.ok()) {
    if (asked.error().code != ErrorCode::kIo && asked.error().code != ErrorCode::kNotFound)
      return asked.error();
    reply.problem = asked.error().what;
    if (copied) namespaces = copied->namespaces;
  }
  for (const team::TeamNamespace& each : namespaces)
    reply.namespaces.push_back({std::string(team::kTeamPrefix) + each.name, each.may_write, each.review});
  return reply;
}

Result<TeamSyncReply> TeamRecipes::team_sync(const TeamRequest& request) {
  KNAPSACK_TRY(const TeamSession session, TeamSession::open(*state_, request.settings));
  KNAPSACK_TRY(const team::SyncReport report, session.sync(kSyncTime));
  return TeamSyncReply{report.delivered, report.waiting, report.changed,
                       report.problem,   report.refused, report.warnings};
}

Result<RememberReply> TeamRecipes::promote(const PromoteRequest& request) {
  const auto name = team::team_name(request.to);
  if (!name) {
    return Error{ErrorCode::kUsage, fmt::format("'{}' is not a team's namespace", escape_control(request.to)),
                 "give `to` team:NAME"};
  }
  KNAPSACK_TRY(const TeamSession session, TeamSession::open(*state_, request.settings));
  KNAPSACK_TRY(const MemorySession own, MemorySession::open(*state_, request.settings));
  KNAPSACK_TRY(const memory::Catalogue catalogue, own.catalogue());
  // One's own alone: a team's copy of it has the same id.
  memory::ReadRules rules = own.rules;
  std::erase_if(rules.namespaces,
                [](const std::string& each) { return each.starts_with(memory::kTeamNamespace); });
  KNAPSACK_TRY(const memory::Memory* found, memory::find_memory(catalogue, request.id, rules));
  team::TeamMemory memory = session.memory_of(*found, *name);
  // Where it comes from; its id stays, so that promoting it again changes nothing.
  const nlohmann::ordered_json provenance = {
      {"promoted_from", found->id},
      {"created", found->created ? format_rfc3339(*found->created) : ""},
      {"source", found->speaker},
      {"promoted", format_rfc3339(Timestamp::from_seconds(state_->clock->now().seconds()))}};
  memory.provenance_json = provenance.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return session.send(std::move(memory));
}

}  // namespace knapsack

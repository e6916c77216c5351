#include "engine/recipes/memory/team_session.h"

#include <fmt/format.h>

#include "core/files/tree.h"
#include "text/secrets/redact.h"

namespace knapsack {
namespace {

// Somebody waits for `remember`: what the server does not answer by then is queued.
constexpr std::chrono::seconds kDeliverTime{4};

}  // namespace

Result<TeamSession> TeamSession::open(Engine::State& state, const std::map<std::string, std::string>& flags) {
  TeamSession session(state);
  const SettingsRequest wanted = state.settings_request(flags);
  KNAPSACK_TRY(const Settings settings, state.settings(wanted));
  state.tell_refused(settings);
  if (settings.team_url.empty()) {
    return Error{
        ErrorCode::kUsage, "no team's server is named",
        "set KNAPSACK_TEAM_URL=postgresql://USER@HOST/DATABASE, or team.url in your own configuration"};
  }
  session.root = team_folder(settings, wanted);
  if (session.root.empty())
    return Error{ErrorCode::kConfig, "there is no home folder to keep a team's memories in", "set HOME"};
  session.cache = team_cache_folder(settings, wanted);
  KNAPSACK_TRY(session.address, team::read_address(settings.team_url));
  session.author_ = git_identity(*state.files, wanted);
  return session;
}

Result<team::SyncReport> TeamSession::sync(std::chrono::milliseconds time) const {
  KNAPSACK_CHECK(make_directories(*state_->files, root));
  return team::sync(*state_->files,
                    {root, address, team::deadline_in(time), state_->clock->now(), state_->on_disk});
}

team::TeamMemory TeamSession::memory_of(const memory::Memory& memory, const std::string& team) const {
  team::TeamMemory made;
  made.team = team;
  made.id = memory.id;
  made.category = memory.category;
  made.text = memory.text;
  made.tags = memory.tags;
  made.importance = memory.importance;
  made.confidence = memory.confidence;
  made.entity = memory.entity;
  made.created = memory.created.value_or(state_->clock->now());
  made.author_git = author_;
  made.provenance_json = "{}";
  return made;
}

Result<RememberReply> TeamSession::send(team::TeamMemory memory) const {
  RememberReply reply;
  const uint64_t secrets = team::clean_for_team(memory);
  KNAPSACK_CHECK(make_directories(*state_->files, root));
  KNAPSACK_CHECK(outbox().put(memory));
  reply.id = memory.id;
  reply.path = std::string(team::kTeamPrefix) + memory.team;
  reply.category = memory.category;
  reply.importance = memory.importance.value_or(0);
  reply.confidence = memory.confidence;
  reply.entity = memory.entity;
  reply.delivery = "queued";
  if (secrets > 0) reply.notices.push_back(redacted_line(secrets, "the text"));
  // From here on nothing can be lost, so nothing is an error.
  const auto synced = sync(kDeliverTime);
  if (!synced.ok()) {
    reply.notices.push_back(synced.error().line());
    return reply;
  }
  reply.notices.insert(reply.notices.end(), synced->warnings.begin(), synced->warnings.end());
  reply.notices.insert(reply.notices.end(), synced->refused.begin(), synced->refused.end());
  if (!synced->problem.empty())
    reply.notices.push_back(
        fmt::format("{}: it waits here and is delivered later (`knapsack team sync`)", synced->problem));
  std::vector<std::string> ignored;
  bool waits = false;
  for (const team::Waiting& each : outbox().waiting(ignored))
    waits = waits || (each.memory.id == memory.id && each.memory.team == memory.team);
  if (!waits) reply.delivery = "delivered";
  return reply;
}

}  // namespace knapsack

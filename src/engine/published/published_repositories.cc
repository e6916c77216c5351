#include "engine/published/published_repositories.h"

#include <fmt/format.h>

#include "core/files/tree.h"
#include "engine/engine_state.h"
#include "engine/recipes/memory/team_session.h"
#include "team/migrations.h"

namespace knapsack {
namespace {

constexpr std::chrono::seconds kFindTime{10};
constexpr std::chrono::minutes kFetchTime{10};
constexpr std::chrono::seconds kRecordTime{2};
constexpr size_t kMaxIdle = 16;

}  // namespace

PublishedRepositories::PublishedRepositories(EngineOptions options, team::ServerAddress address,
                                             std::string cache, uint64_t max_cache_bytes)
    : options_(std::move(options)),
      address_(std::move(address)),
      files_(make_disk_file_system()),
      cache_(*files_, std::move(cache), max_cache_bytes) {}

Result<std::unique_ptr<PublishedRepositories>> PublishedRepositories::open(EngineOptions options,
                                                                           uint64_t max_cache_bytes) {
  Engine::State state;
  state.files = make_disk_file_system();
  state.options = options;
  KNAPSACK_TRY(state.workspace, find_workspace(*state.files, options.folder, options.workspace));
  KNAPSACK_TRY(const TeamSession session, TeamSession::open(state, {}));
  KNAPSACK_CHECK(make_directories(*state.files, session.cache));
  return std::unique_ptr<PublishedRepositories>(
      new PublishedRepositories(std::move(options), session.address, session.cache, max_cache_bytes));
}

Result<team::Connection> PublishedRepositories::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      team::Connection connection = std::move(idle_.back());
      idle_.pop_back();
      return connection;
    }
  }
  const team::Deadline deadline = team::deadline_in(kFindTime);
  KNAPSACK_TRY(auto connection, team::Connection::open(address_, deadline));
  KNAPSACK_CHECK(team::check_schema(connection, deadline));
  return connection;
}

void PublishedRepositories::give_back(team::Connection connection) {
  const std::lock_guard lock(mutex_);
  if (idle_.size() < kMaxIdle) idle_.push_back(std::move(connection));
}

Result<std::vector<std::string>> PublishedRepositories::names() {
  KNAPSACK_TRY(auto connection, take());
  KNAPSACK_TRY(const auto rows, team::my_repositories(connection, team::deadline_in(kFindTime)));
  give_back(std::move(connection));
  std::vector<std::string> names;
  for (const team::RepositoryRow& row : rows) names.push_back(row.name);
  return names;
}

Result<PublishedWorkspace> PublishedRepositories::find(const std::string& repository,
                                                       const std::string& revision) {
  if (!team::is_repository_name(repository))
    return Error{ErrorCode::kUsage, "that is not a name for a repository",
                 "`knapsack team repos list` shows those that there are"};
  PublishedWorkspace found;
  std::optional<HeldSnapshot> held;
  const std::string key = repository + " " + revision;
  const auto ask = [&]() -> Status {
    KNAPSACK_TRY(auto connection, take());
    auto snapshot = team::find_snapshot(connection, repository, revision, team::deadline_in(kFindTime));
    if (!snapshot.ok() && snapshot.error().code == ErrorCode::kIo) {
      // One that has been idle may have been closed meanwhile.
      KNAPSACK_TRY(connection, team::Connection::open(address_, team::deadline_in(kFindTime)));
      snapshot = team::find_snapshot(connection, repository, revision, team::deadline_in(kFindTime));
    }
    if (!snapshot.ok()) {
      if (snapshot.error().code != ErrorCode::kIo) give_back(std::move(connection));
      return snapshot.error();
    }
    {
      const std::lock_guard lock(mutex_);
      newest_[key] = *snapshot;
    }
    held = cache_.find(repository, snapshot->commit);
    if (!held) {
      KNAPSACK_TRY(held, cache_.make(connection, repository, *snapshot, team::deadline_in(kFetchTime)));
    }
    give_back(std::move(connection));
    return ok_status();
  };
  if (const Status asked = ask(); !asked.ok()) {
    if (asked.error().code != ErrorCode::kIo) return asked.error();
    // Offline is normal: what is here still answers.
    std::optional<team::SnapshotName> known;
    {
      const std::lock_guard lock(mutex_);
      idle_.clear();
      if (const auto last = newest_.find(key); last != newest_.end()) known = last->second;
    }
    if (known) held = cache_.find(repository, known->commit);
    if (!held) return asked.error();
    found.notice = fmt::format(
        "the team's server does not answer: this is the commit that it named last ({})", asked.error().what);
  }
  found.repository = repository;
  found.commit = held->commit;
  found.holding = held->lock;
  found.options = options_;
  found.options.folder = held->folder;
  found.options.workspace = held->folder;
  found.options.snapshot = held->commit;
  found.options.also.clear();
  found.options.start_embedding = {};
  found.options.start_team_sync = {};
  return found;
}

void PublishedRepositories::record(const PublishedWorkspace& workspace, const AnsweredCall& call) {
  const auto write = [&]() -> Status {
    KNAPSACK_TRY(auto connection, take());
    KNAPSACK_CHECK(team::put_run(connection,
                                 {workspace.repository, workspace.commit, call.command, call.request_json,
                                  call.status, call.took.count()},
                                 team::deadline_in(kRecordTime)));
    give_back(std::move(connection));
    return ok_status();
  };
  if (const Status written = write(); !written.ok())
    options_.log.write(LogLevel::kWarning, "a run is not in the team's ledger: " + written.error().line());
}

}  // namespace knapsack

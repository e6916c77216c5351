// The methods of Engine about repositories that a team publishes.
#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "core/ascii.h"
#include "core/counted.h"
#include "core/escape.h"
#include "core/files/tree.h"
#include "core/helper_threads.h"
#include "engine/published/published_repositories.h"
#include "engine/published/worker.h"
#include "engine/recipes/memory/team_session.h"
#include "team/jobs.h"
#include "team/migrations.h"

namespace knapsack {
namespace {

constexpr std::chrono::seconds kAnswerTime{20};
constexpr std::chrono::seconds kPollTime{2};     // between two looks for a job
constexpr std::chrono::seconds kOfflineTime{5};  // … while the server does not answer
constexpr size_t kCommitDigits = 40;
constexpr unsigned kMaxJobs = 64;

Result<team::Connection> ask_server(const team::ServerAddress& address) {
  const team::Deadline deadline = team::deadline_in(kAnswerTime);
  KNAPSACK_TRY(auto connection, team::Connection::open(address, deadline));
  KNAPSACK_CHECK(team::check_schema(connection, deadline));
  return connection;
}

Status check_repository_name(const std::string& name) {
  if (team::is_repository_name(name)) return ok_status();
  return Error{ErrorCode::kUsage, fmt::format("'{}' is not a name for a repository", escape_control(name)),
               fmt::format("give letters, digits, '-', '_' and '.', at most {}", team::kMaxRepositoryName)};
}

// False when it was stopped before.
bool wait_a_little(const std::stop_token& stop, std::chrono::seconds time) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, stop, time, [] { return false; });
  return !stop.stop_requested();
}

Status work_until_stopped(const Engine::State& state, const WorkerPlaces& places,
                          const WorkerRequest& request) {
  bool offline = false;
  while (!request.stop.stop_requested()) {
    const auto done = do_next_job(state, places, request.tell, request.stop);
    if (done.ok()) {
      offline = false;
      if (*done) continue;
      if (request.once) return ok_status();
      wait_a_little(request.stop, kPollTime);
      continue;
    }
    if (done.error().code != ErrorCode::kIo || request.once) return done.error();
    if (!offline) request.tell("waiting for the server: " + done.error().line());
    offline = true;
    wait_a_little(request.stop, kOfflineTime);
  }
  return ok_status();
}

}  // namespace

Result<TeamRepositoryReply> TeamRecipes::team_add_repository(const TeamRepositoryRequest& request) {
  KNAPSACK_CHECK(check_repository_name(request.name));
  KNAPSACK_TRY(const TeamSession session, TeamSession::open(*state_, request.settings));
  std::string source = request.source;
  // A path means the same from everywhere.
  if (source.find(':') == std::string::npos) {
    const std::string path = join_path(state_->options.folder, source);
    if (!state_->files->info(path).ok())
      return Error{ErrorCode::kNotFound, fmt::format("there is no {}", escape_control(source)),
                   "give the URL or the folder of a repository"};
    KNAPSACK_TRY(source, state_->files->resolve(path));
  }
  KNAPSACK_TRY(auto connection, ask_server(session.address));
  const team::Deadline deadline = team::deadline_in(kAnswerTime);
  KNAPSACK_CHECK(team::add_repository(connection, request.name, source, deadline));
  KNAPSACK_TRY(const bool queued, team::add_job(connection, request.name, "HEAD", deadline));
  return TeamRepositoryReply{request.name, "HEAD", queued};
}

Result<TeamRepositoryReply> TeamRecipes::team_pushed(const TeamRepositoryRequest& request) {
  KNAPSACK_CHECK(check_repository_name(request.name));
  if (!ascii::is_lower_hex(request.commit, kCommitDigits)) {
    return Error{ErrorCode::kUsage,
                 fmt::format("'{}' is not the id of a commit", escape_control(request.commit)),
                 "give all 40 digits, as `git rev-parse HEAD` prints them"};
  }
  KNAPSACK_TRY(const TeamSession session, TeamSession::open(*state_, request.settings));
  KNAPSACK_TRY(auto connection, ask_server(session.address));
  const auto queued = team::add_job(connection, request.name, request.commit, team::deadline_in(kAnswerTime));
  if (queued.ok()) return TeamRepositoryReply{request.name, request.commit, *queued};
  // 42501: a policy or a missing right; 23503: there is no such repository.
  const std::string& state = connection.sql_state();
  if (state != "42501" && state != "23503") return queued.error();
  return Error{ErrorCode::kUsage,
               fmt::format("this role may not publish {}, or there is no such repository", request.name),
               fmt::format("have the owner run `knapsack team grant ROLE repo:{} write`", request.name)};
}

Result<std::vector<TeamRepositoryRow>> TeamRecipes::team_repositories(const TeamRequest& request) {
  KNAPSACK_TRY(const TeamSession session, TeamSession::open(*state_, request.settings));
  KNAPSACK_TRY(auto connection, ask_server(session.address));
  KNAPSACK_TRY(const auto rows, team::my_repositories(connection, team::deadline_in(kAnswerTime)));
  std::vector<TeamRepositoryRow> shown;
  for (const team::RepositoryRow& row : rows)
    shown.push_back({row.name, row.source, row.commit, row.published, row.snapshots, row.stored, row.waiting,
                     row.failed, row.problem});
  return shown;
}

Status TeamRecipes::work(const WorkerRequest& request) {
  KNAPSACK_TRY(const TeamSession session, TeamSession::open(*state_, request.settings));
  WorkerPlaces places;
  places.address = session.address;
  places.cache = join_path(session.cache, "worker");
  places.max_cache_bytes = request.max_cache_bytes;
  const auto mirrors = state_->files->resolve(join_path(state_->options.folder, request.mirrors));
  if (!mirrors.ok())
    return Error{ErrorCode::kUsage, fmt::format("there is no folder {}", escape_control(request.mirrors)),
                 "give the folder with the mirrors"};
  places.mirrors = *mirrors;
  KNAPSACK_CHECK(make_directories(*state_->files, places.cache));
  const unsigned count = std::clamp(request.jobs, 1U, kMaxJobs);
  std::vector<Status> ended(count, ok_status());
  const auto work_as = [&](unsigned i) { ended[i] = work_until_stopped(*state_, places, request); };
  HelperThreads others;
  unsigned started = 1;  // this thread is the first
  while (started < count && others.start([&work_as, started] { work_as(started); })) ++started;
  if (started < count)
    request.tell(
        fmt::format("{} at once, not {}: the system has no more threads", counted(started, "job"), count));
  work_as(0);
  others.join();
  for (const Status& each : ended) KNAPSACK_CHECK(each);
  return ok_status();
}

}  // namespace knapsack

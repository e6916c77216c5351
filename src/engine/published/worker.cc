#include "engine/published/worker.h"

#include <fmt/format.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>

#include "code/ask/published_texts.h"
#include "code/ask/snapshot_texts.h"
#include "code/index/index_garbage.h"
#include "core/files/tree.h"
#include "core/helper_threads.h"
#include "engine/published/own_files.h"
#include "engine/published/publish_index.h"
#include "store/state_folder.h"
#include "team/migrations.h"

namespace knapsack {
namespace {

constexpr std::chrono::seconds kQuestionTime{20};
constexpr std::chrono::minutes kPublishTime{60};
constexpr std::chrono::seconds kHeartbeat{15};  // a quarter of the lease
constexpr size_t kShownDigits = 12;
const GitOpenOptions kBorrowing{.read_outside_alternates = true};

std::string machine_name() {
  char name[256] = {};
  if (::gethostname(name, sizeof name - 1) != 0) name[0] = '\0';
  return fmt::format("{}:{}", name, ::getpid());
}

// Makes the lease longer while it lives; asks to stop when it is lost.
class Heartbeat {
 public:
  Status start(const team::ServerAddress& address, const team::Job& job) {
    return thread_.start("keeping the lease of a job",
                         [this, address, job](const std::stop_token& stop) { beat(address, job, stop); });
  }
  std::stop_token lost() const { return lost_.get_token(); }

 private:
  void beat(const team::ServerAddress& address, const team::Job& job, const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    while (!never.wait_for(lock, stop, kHeartbeat, [] { return false; }) && !stop.stop_requested()) {
      const team::Deadline deadline = team::deadline_in(kHeartbeat);
      auto connection = team::Connection::open(address, deadline);
      if (!connection.ok()) continue;  // the lease may still be there when the server is back
      const auto kept = team::keep_job(*connection, job, deadline);
      if (kept.ok() && !*kept) {
        lost_.request_stop();
        return;
      }
    }
  }

  std::stop_source lost_;
  HelperThread thread_;
};

class JobRun {
 public:
  JobRun(const Engine::State& state, const WorkerPlaces& places, team::Connection& connection,
         const team::Job& job, std::stop_token stop)
      : state_(state),
        files_(*state.files),
        places_(places),
        connection_(connection),
        job_(job),
        stop_(std::move(stop)),
        cache_(files_, places.cache, places.max_cache_bytes),
        folder_(join_path(places.cache, fmt::format("work/{}-{}", job.id, job.lease))) {}
  JobRun(const JobRun&) = delete;
  JobRun& operator=(const JobRun&) = delete;
  ~JobRun() { (void)remove_tree(files_, folder_); }

  // What was published.
  Result<team::NewSnapshot> run() {
    KNAPSACK_CHECK(make_folder());
    KNAPSACK_CHECK(borrow_mirror());
    KNAPSACK_TRY(const auto opened, GitRepository::open(folder_, kBorrowing));
    if (!opened) return Error{ErrorCode::kInternal, "the mirror cannot be read as a repository", ""};
    KNAPSACK_TRY(commit_, commit_of(*opened));
    KNAPSACK_CHECK(begin_from_newest());
    KNAPSACK_TRY(own_, check_out_own_files(state_, *opened, commit_, folder_));
    KNAPSACK_CHECK(index());
    KNAPSACK_CHECK(write_texts());
    if (stop_.stop_requested()) return Error{ErrorCode::kStopped, "the work was stopped", ""};
    const PublishRequest request{job_.repository, commit_, state_folder_of(folder_),
                                 before_ ? &*before_ : nullptr};
    const team::Deadline deadline = team::deadline_in(kPublishTime);
    KNAPSACK_TRY(const team::NewSnapshot snapshot,
                 publish_index(files_, cache_, connection_, request, deadline));
    KNAPSACK_CHECK(team::finish_job(connection_, job_, snapshot, deadline));
    return snapshot;
  }

 private:
  // And sweeps what workers left that were killed: a folder that nobody holds.
  Status make_folder() {
    const std::string above = parent_path(folder_);
    KNAPSACK_CHECK(make_directories(files_, above));
    KNAPSACK_TRY(const FileLock one_at_a_time,
                 FileLock::acquire(join_path(above, ".lock"), FileLock::Mode::kExclusive, kQuestionTime));
    KNAPSACK_TRY(const auto entries, files_.list(above));
    for (const DirectoryEntry& entry : entries) {
      if (entry.kind != FileKind::kDirectory) continue;
      const std::string path = join_path(above, entry.name);
      const auto held =
          FileLock::acquire_folder(path, FileLock::Mode::kExclusive, std::chrono::milliseconds(0));
      if (held.ok()) KNAPSACK_CHECK(remove_tree(files_, path));
    }
    KNAPSACK_CHECK(files_.make_directory(folder_));
    KNAPSACK_TRY(FileLock own,
                 FileLock::acquire_folder(folder_, FileLock::Mode::kExclusive, std::chrono::milliseconds(0)));
    holding_.emplace(std::move(own));
    return ok_status();
  }

  Result<std::string> mirror() const {
    for (const char* ending : {".git", ""}) {
      const std::string path = join_path(places_.mirrors, job_.repository + ending);
      for (const std::string& place : {path, join_path(path, ".git")}) {
        if (files_.info(join_path(place, "objects")).ok() && files_.info(join_path(place, "HEAD")).ok())
          return files_.resolve(place);
      }
    }
    return Error{ErrorCode::kNotFound,
                 fmt::format("there is no mirror of {} in {}", job_.repository, places_.mirrors),
                 fmt::format("make it: `git clone --mirror URL {}.git` there", job_.repository)};
  }

  // A repository of nothing but a reference to the mirror: nothing is written there, nor is anything of it configured here.
  Status borrow_mirror() const {
    KNAPSACK_TRY(const std::string from, mirror());
    const std::string git = join_path(folder_, ".git");
    for (const char* each : {"objects/info", "refs"})
      KNAPSACK_CHECK(make_directories(files_, join_path(git, each)));
    KNAPSACK_CHECK(
        files_.replace(join_path(git, "objects/info/alternates"), join_path(from, "objects") + "\n"));
    constexpr uint64_t kMaxReferences = uint64_t{64} << 20U;
    for (const char* each : {"HEAD", "packed-refs", "shallow"}) {
      const auto bytes = files_.read(join_path(from, each), kMaxReferences);
      if (bytes.ok()) KNAPSACK_CHECK(files_.replace(join_path(git, each), *bytes));
    }
    if (job_.commit != "HEAD") return ok_status();
    return copy_head(from, git);
  }

  // The branch that HEAD names may be a file of its own.
  Status copy_head(const std::string& from, const std::string& git) const {
    constexpr uint64_t kMaxHead = 4096;
    constexpr std::string_view kNamed = "ref: ";
    KNAPSACK_TRY(const std::string head, files_.read(join_path(from, "HEAD"), kMaxHead));
    if (!head.starts_with(kNamed)) return ok_status();
    const std::string name(head.substr(kNamed.size(), head.find('\n') - kNamed.size()));
    if (!name.starts_with("refs/") || name.find("..") != std::string::npos) return ok_status();
    const auto bytes = files_.read(join_path(from, name), kMaxHead);
    if (!bytes.ok()) return ok_status();  // then it is among the packed ones
    KNAPSACK_CHECK(make_directories(files_, parent_path(join_path(git, name))));
    return files_.replace(join_path(git, name), *bytes);
  }

  Result<std::string> commit_of(const GitRepository& repository) const {
    const auto commit = repository.resolve(job_.commit);
    if (commit.ok()) return *commit;
    return Error{commit.error().code,
                 fmt::format("the mirror of {} has no {}", job_.repository,
                             job_.commit == "HEAD" ? "commit" : "commit " + job_.commit),
                 "fetch in the mirror, then it is tried again"};
  }

  // Only what is new since the last published commit is read and parsed.
  Status begin_from_newest() {
    const team::Deadline deadline = team::deadline_in(kPublishTime);
    const auto newest = team::find_snapshot(connection_, job_.repository, "", deadline);
    if (!newest.ok())
      return newest.error().code == ErrorCode::kNotFound ? ok_status() : Status(newest.error());
    KNAPSACK_TRY(before_, ContentCache::manifest(connection_, job_.repository, *newest, deadline));
    KNAPSACK_TRY(const std::string state, ensure_state_folder(files_, folder_));
    for (const team::PublishedFile& file : before_->files) {
      KNAPSACK_TRY(const auto bytes, cache_.content(connection_, job_.repository, file, deadline));
      const std::string path = join_path(state, file.path);
      KNAPSACK_CHECK(make_directories(files_, parent_path(path)));
      KNAPSACK_CHECK(files_.replace(path, bytes->bytes()));
    }
    return ok_status();
  }

  Status index() const {
    EngineOptions options = state_.options;
    options.folder = folder_;
    options.workspace = folder_;
    options.also.clear();
    options.start_embedding = {};
    options.start_team_sync = {};
    KNAPSACK_TRY(const auto engine, Engine::open(std::move(options)));
    IndexOptions wanted;
    wanted.revision = commit_;
    wanted.read_outside_alternates = true;
    wanted.stop = stop_;
    KNAPSACK_TRY(const auto report, engine->index(wanted));
    if (report.unread > 0) return Error{ErrorCode::kIo, "not every file of the commit could be read", ""};
    return forget_others();
  }

  // One commit a publication: earlier ones have their own, which share what is the same.
  Status forget_others() const {
    const std::string state = state_folder_of(folder_);
    {
      KNAPSACK_TRY(auto writer, code::CuratedWriter::open(files_, state, {}));
      KNAPSACK_TRY(const auto snapshots, writer.rows().snapshots());
      KNAPSACK_CHECK(writer.transaction([&]() -> Status {
        for (const code::SnapshotRow& each : snapshots) {
          if (each.name == commit_) continue;
          if (auto removed = writer.remove_snapshot(each.snapshot); !removed.ok()) return removed;
        }
        return ok_status();
      }));
      KNAPSACK_TRY([[maybe_unused]] const auto garbage, code::collect_garbage(writer, false));
    }
    sqlite::OpenOptions options;
    options.mode = sqlite::OpenMode::kReadWrite;
    KNAPSACK_TRY(auto database, sqlite::Database::open(code::curated_path(state), options));
    return database.checkpoint();
  }

  Status write_texts() const {
    const std::string state = state_folder_of(folder_);
    KNAPSACK_TRY(const auto index, code::CodeIndex::open(files_, state, commit_));
    KNAPSACK_TRY(const auto texts, code::SnapshotTexts::open(files_, folder_, index->snapshot(), kBorrowing));
    KNAPSACK_TRY(auto writer, code::TextsWriter::open(state));
    for (const code::FileRow& file : index->files()) {
      if (file.blob == 0) continue;
      if (stop_.stop_requested()) return Error{ErrorCode::kStopped, "the work was stopped", ""};
      KNAPSACK_TRY(const bool known, writer.has(file));
      if (known) continue;
      uint64_t secrets = 0;
      KNAPSACK_TRY(const std::string text, texts.read(file, &secrets));
      KNAPSACK_CHECK(writer.add(file, text, secrets));
    }
    KNAPSACK_CHECK(writer.forget_others(index->files()));
    KNAPSACK_CHECK(writer.put_own_files(own_));
    return writer.finish();
  }

  const Engine::State& state_;
  FileSystem& files_;
  const WorkerPlaces& places_;
  team::Connection& connection_;
  const team::Job& job_;
  std::stop_token stop_;
  ContentCache cache_;
  std::string folder_;
  std::optional<FileLock> holding_;
  std::string commit_;
  std::optional<team::Manifest> before_;
  std::map<std::string, std::string> own_;
};

}  // namespace

Result<bool> do_next_job(const Engine::State& state, const WorkerPlaces& places, const WorkerTells& tell,
                         const std::stop_token& stop) {
  KNAPSACK_TRY(auto connection, team::Connection::open(places.address, team::deadline_in(kQuestionTime)));
  KNAPSACK_CHECK(team::check_schema(connection, team::deadline_in(kQuestionTime)));
  KNAPSACK_TRY(const auto job, team::take_job(connection, machine_name(), team::deadline_in(kQuestionTime)));
  if (!job) return false;
  const std::string named =
      fmt::format("{} {}", job->repository,
                  job->commit.size() > kShownDigits ? job->commit.substr(0, kShownDigits) : job->commit);
  const auto began = std::chrono::steady_clock::now();
  std::stop_source ended;
  Result<team::NewSnapshot> done = Error{ErrorCode::kInternal, "nothing was done", ""};
  {
    // A job that ends before its lease needs none; after it, whoever finishes first has done it.
    Heartbeat heartbeat;
    if (const Status beats = heartbeat.start(places.address, *job); !beats.ok())
      tell(fmt::format("working on {} without renewing its lease: {}", named, beats.error().line()));
    const std::stop_callback stopped(stop, [&] { ended.request_stop(); });
    const std::stop_callback lost(heartbeat.lost(), [&] { ended.request_stop(); });
    done = JobRun(state, places, connection, *job, ended.get_token()).run();
  }
  const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  if (done.ok()) {
    tell(fmt::format("published {} as {} in {:.1f} s: {:.1f} MB, {:.1f} MB of it new", named,
                     done->commit.substr(0, kShownDigits), seconds, static_cast<double>(done->size) / 1e6,
                     static_cast<double>(done->added) / 1e6));
    return true;
  }
  // A lease that was lost is somebody else's job; a server that went away lets the lease run out.
  if (done.error().code == ErrorCode::kBusy || done.error().code == ErrorCode::kIo) {
    tell(fmt::format("gave up {}: {}", named, done.error().line()));
    if (done.error().code == ErrorCode::kBusy) return true;
  }
  auto again = team::Connection::open(places.address, team::deadline_in(kQuestionTime));
  if (!again.ok()) return again.error();
  const std::string problem = stop.stop_requested() ? "the worker was stopped" : done.error().line();
  KNAPSACK_CHECK(team::fail_job(*again, *job, problem, team::deadline_in(kQuestionTime)));
  if (done.error().code != ErrorCode::kIo) tell(fmt::format("failed {}: {}", named, problem));
  return true;
}

}  // namespace knapsack

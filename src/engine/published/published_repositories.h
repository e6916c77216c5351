// PublishedRepositories: workspaces of published commits, for who answers about repositories that are not on this machine.
//
// Asks the server which commit is meant, fetches what is not here, and gives the options with which an Engine answers from it. It
// keeps nothing but a cache. Safe to share between threads.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "engine/api/engine_options.h"
#include "engine/published/content_cache.h"

namespace knapsack {

inline constexpr uint64_t kDefaultCacheBytes = uint64_t{10} << 30U;

struct PublishedWorkspace {
  EngineOptions options;  // for Engine::open()
  std::string repository, commit;
  std::string notice;                 // something that whoever asked should know; may be empty
  std::shared_ptr<FileLock> holding;  // keeps it here while this lives
};

// A call that was answered, for the team's ledger.
struct AnsweredCall {
  std::string command, request_json, status;
  std::chrono::milliseconds took{0};
};

class PublishedRepositories {
 public:
  // Nothing is asked yet. kUsage where no server is named.
  static Result<std::unique_ptr<PublishedRepositories>> open(EngineOptions options, uint64_t max_cache_bytes);

  // `revision`: a commit by its id, or a beginning of that; empty: the newest.
  Result<PublishedWorkspace> find(const std::string& repository, const std::string& revision);
  // Whether the server answers, and what it may be asked about: the names, sorted.
  Result<std::vector<std::string>> names();
  // Where the server does not answer it is written to the log; nothing waits for it.
  void record(const PublishedWorkspace& workspace, const AnsweredCall& call);

 private:
  PublishedRepositories(EngineOptions options, team::ServerAddress address, std::string cache,
                        uint64_t max_cache_bytes);
  // A connection of its own for each call at once; those that are done are used again.
  Result<team::Connection> take();
  void give_back(team::Connection connection);

  EngineOptions options_;
  team::ServerAddress address_;
  std::unique_ptr<FileSystem> files_;
  ContentCache cache_;
  std::mutex mutex_;
  std::vector<team::Connection> idle_;
  std::map<std::string, team::SnapshotName> newest_;  // as the server last said
};

}  // namespace knapsack

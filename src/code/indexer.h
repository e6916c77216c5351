// index_repository: brings the code index up to date with the work tree, or adds a commit to it.
//
// Content-addressed: what is learnt from a file is stored once for its bytes and language, and a snapshot
// maps paths to it, so that only bytes that were never seen are parsed. Work is committed in batches and a
// snapshot becomes visible in one transaction: a run that is killed leaves the last snapshot in place, and
// the next one goes on with what was committed. One bad file never fails an index. One writer at a time;
// others wait, then are told who holds it.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "code/git_location.h"
#include "core/clock.h"
#include "core/file_system.h"
#include "core/result.h"

namespace knapsack::code {

struct IndexProgress {
  std::string_view step;  // "reading", "history", …
  uint64_t files = 0;     // done so far
  uint64_t total_files = 0;
  uint64_t bytes = 0;  // read so far
  uint64_t parsed = 0;
};

struct IndexRequest {
  std::string workspace;     // absolute
  std::string state_folder;  // exists
  std::string revision;      // a commit instead of the work tree
  unsigned jobs = 0;         // threads; 0: one a core
  uint32_t history = 5000;   // commits
  bool full = false;         // learn everything anew
  std::chrono::milliseconds wait{30'000};
  GitOpenOptions git;
  Timestamp now;
  std::function<void(const IndexProgress&)> progress;
};

struct IndexReport {
  std::string snapshot;   // "work tree", or the commit's id
  std::string commit_id;  // empty without a repository
  bool changed = false;   // a new state was published
  uint64_t files = 0;
  uint64_t sources = 0;  // files that are parsed or searched
  uint64_t source_bytes = 0;
  uint64_t lines = 0;
  uint64_t examined = 0;  // files that were read in this run
  uint64_t parsed = 0;    // blobs that were new
  uint64_t removed = 0;   // files that are gone since the last time
  uint64_t ignored = 0;
  uint64_t skipped = 0;
  uint64_t import_edges = 0;
  uint64_t commits = 0;
  uint64_t new_commits = 0;
  std::map<std::string, uint64_t> languages;           // sources
  std::map<std::string, uint64_t> listed;              // files that are listed only, by why
  std::vector<std::string> notes;                      // one line each, for people
  std::vector<std::pair<std::string, int64_t>> times;  // steps and their microseconds
};

Result<IndexReport> index_repository(FileSystem& files, const IndexRequest& request);

}  // namespace knapsack::code

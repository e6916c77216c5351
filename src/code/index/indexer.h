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
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "code/index/index_report.h"
#include "core/clock.h"
#include "core/files/file_system.h"
#include "core/result.h"
#include "git/location.h"

namespace knapsack::code {

struct IndexRequest {
  std::string workspace;     // absolute
  std::string state_folder;  // exists
  std::string revision;      // a commit instead of the work tree
  unsigned jobs = 0;         // threads; 0: one a core
  uint32_t history = 5000;   // commits
  bool full = false;         // learn everything anew
  bool brief = false;        // where nothing changed, the report says no more than that
  std::chrono::milliseconds wait{30'000};
  // What is committed at once: a killed run loses at most this, and memory stays bounded by it.
  uint64_t batch_bytes = 32 << 20;
  std::vector<std::string> allow_sensitive;  // names or paths of files that would only be listed
  // Started to run grammars in a sandbox (code/sandbox/parsing_process.h); empty: they run in this process.
  std::string parsing_program;
  GitOpenOptions git;
  Timestamp now;
  std::function<void(const IndexProgress&)> progress;
  std::stop_token stop;  // ends the run with kStopped; what was read so far is known to the next one
  // No file is begun after this. Where nothing whole was published before, what was read is published, with
  // the number of files that are missing; a whole snapshot is left as it is.
  std::optional<std::chrono::steady_clock::time_point> read_until;
};

Result<IndexReport> index_repository(FileSystem& files, const IndexRequest& request);

// Whether what an index holds was learnt by other rules than today's. To be asked by whoever uses the snapshot of a commit
// as it is; false where there is none.
bool is_outdated(const FileSystem& files, const std::string& state_folder);

}  // namespace knapsack::code

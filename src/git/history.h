// History: the commits that lead to a commit, newest first, with the files that each one changed.
//
// Only what is reachable from the given commit is ever seen, so a snapshot knows nothing of its future. The
// order is total: commit time falling; at one time children before their parents, then by id. (As
// in `git log`, a commit whose clock ran ahead of its child's can come before a cousin of that child.) The
// same commits give the same answer whatever was asked before. One walk belongs to one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/result.h"
#include "git/commit.h"
#include "git/repository.h"

namespace knapsack {

struct HistoryOptions {
  size_t max_commits = 5000;
  size_t max_files = 5000;        // a commit
  size_t max_side_commits = 256;  // a merge
  bool follow_renames = true;
  // Commits for which this says true are told by id and time alone: the caller has the rest. Most of the work
  // is finding what a commit changed.
  std::function<bool(const std::string& id)> is_described;
};

struct HistorySummary {
  size_t commits = 0;
  bool more = false;     // stopped at max_commits, or the visitor had enough
  bool shallow = false;  // reached the end of a shallow clone
  // Commits and trees that could not be read, one line each; the rest of the history is there.
  std::vector<std::string> problems;
};

// Calls `visit` for every commit in order until it says false. Fails only when the first commit cannot be
// read.
Result<HistorySummary> walk_history(const GitRepository& repository, const std::string& commit,
                                    const HistoryOptions& options,
                                    const std::function<bool(Commit&&)>& visit);

}  // namespace knapsack

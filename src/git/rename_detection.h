// Which deleted and added files of one diff are a single file that moved. Private to git/.
//
// First files of the same content (empty ones never), then, if the work is within bounds, those that
// libgit2's line signatures find at least half alike: git's own threshold. Every choice has a tie-break, so
// one diff gives one answer.
#pragma once

#include <vector>

#include "git/history.h"
#include "git/objects.h"
#include "git/tree_diff.h"

namespace knapsack {

struct RenameLimits {
  bool enabled = true;  // false: a move is a deletion and an addition
  // Likeness is tried only when (added files) × (deleted files) is at most this: 50 × 50, since commits of
  // more than 50 files take no part in co-change.
  size_t max_pairs = 2500;
  uint64_t max_blob_bytes = 512 << 10;  // a larger file is matched by identity only
};

// The changes as the history tells them, a renamed file once, sorted by path.
std::vector<FileChange> follow_renames(const GitObjects& objects, const std::vector<TreeChange>& changes,
                                       const RenameLimits& limits);

}  // namespace knapsack

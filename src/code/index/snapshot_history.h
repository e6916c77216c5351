// The history of a snapshot: the commits that lead to it and which files changed together, kept in the index.
//
// Only commits that the index does not have yet are read from the repository. What a snapshot lists is what
// can be reached from its own commit, so that it knows nothing of its future. One thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "code/index/curated_writer.h"
#include "git/co_change.h"
#include "git/repository.h"

namespace knapsack::code {

struct SnapshotHistory {
  std::vector<int64_t> commits;  // their numbers, newest first
  std::vector<std::string> ids;  // in the same order
  size_t new_commits = 0;
  bool more = false;                  // there are older ones, beyond the limit
  bool shallow = false;               // the repository does not have the older ones
  std::vector<std::string> problems;  // what could not be read, one line each
};

// Within a transaction of the writer.
Result<SnapshotHistory> store_history(CuratedWriter& writer, const GitRepository& repository,
                                      const std::string& commit, size_t limit);

// Newest first.
std::string pack_commit_list(const std::vector<int64_t>& commits);
Result<std::vector<int64_t>> unpack_commit_list(std::string_view packed);

// What changed together with what among the paths that `keep` says true for, packed under their numbers.
Result<std::string> pack_co_changes(CuratedWriter& writer, const SnapshotHistory& history,
                                    const std::function<bool(const std::string& path)>& keep);

struct PackedCoChanges {
  std::vector<int64_t> paths;
  std::vector<CoChangePair> pairs;  // positions in `paths`
};
Result<PackedCoChanges> unpack_co_changes(std::string_view packed);

}  // namespace knapsack::code

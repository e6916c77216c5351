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

#include "code/git_repository.h"
#include "core/result.h"

namespace knapsack {

enum class FileChangeKind { kAdded, kModified, kDeleted, kRenamed };

struct FileChange {
  std::string path;      // raw bytes
  std::string old_path;  // where it was before; only for kRenamed
  FileChangeKind kind = FileChangeKind::kModified;
};

struct Commit {
  std::string id;
  std::vector<std::string> parents;  // none at the end of a shallow clone
  int64_t author_time = 0;           // seconds since 1970
  int64_t commit_time = 0;
  std::string author;   // the name as stored; addresses are left out
  std::string subject;  // the first line
  std::string message;  // the whole message in its own encoding, cut at kMaxMessageBytes
  bool is_merge = false;

  // Against the first parent, sorted by path. For a merge: what it brought to the line it was merged into.
  std::vector<FileChange> files;
  bool files_truncated = false;  // there are more than HistoryOptions::max_files
  bool files_unknown = false;    // the end of a shallow clone, or a tree that cannot be read

  // For a merge: the commits that it brought, that is, those reachable from its other parents and not from
  // the first; newest first.
  std::vector<std::string> side_commits;
  bool side_commits_truncated = false;
};

constexpr size_t kMaxMessageBytes = 64 << 10;

struct HistoryOptions {
  size_t max_commits = 5000;
  size_t max_files = 5000;        // a commit
  size_t max_side_commits = 256;  // a merge
  bool follow_renames = true;
  // Commits for which this says true are neither reported nor passed: what lies behind them is known too. So
  // a second walk reads only what is new.
  std::function<bool(const std::string& id)> is_known;
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

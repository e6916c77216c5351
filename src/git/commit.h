// Commit: one commit of a repository's history and the files that it changed, as plain data.
//
// Values only; no thread rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

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

}  // namespace knapsack

// The files of a work tree: what git tracks there, and what lies there that git would not ignore.
//
// Entries come in the order of their paths' bytes. Nothing outside the root can be reached, whatever changes
// during the walk (core/files/folder.h); links are listed and never followed; `.git` and `.knapsack` are never
// entered. Whatever was met and left out is counted, and named with a reason unless a rule ignores it. A
// file whose size and time are those of an earlier walk is unchanged, except that a change within the same
// few milliseconds as that walk does not show: treat a file whose time is not clearly older than the
// walk as changed. One walk belongs to one thread. Files are read with read_beneath() of core/files/folder.h.
// Private to code/walk/.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/files/folder.h"
#include "git/index.h"
#include "git/repository.h"

namespace knapsack::code {

struct TreeEntry {
  std::string path;  // from the root, raw bytes
  FileInfo info;     // a regular file, or a link to one inside the root
};

enum class SkipReason {
  kLinkOutside,   // a link that leads out of the root
  kLinkLoop,      // a link that never arrives
  kLinkDangling,  // a link to nothing
  kLinkToFolder,
  kSpecial,  // a FIFO, socket or device, or a link to one
  kTooDeep,
  kUnreadable,        // `detail` says why
  kNestedRepository,  // a repository of its own inside the work tree
  kSubmodule,
};

// "a link that leads out of the workspace", … for messages.
std::string_view describe(SkipReason reason);

struct SkippedEntry {
  std::string path;
  SkipReason reason = SkipReason::kUnreadable;
  std::string detail;
};

struct WalkSummary {
  uint64_t files = 0;
  uint64_t folders = 0;          // entered
  uint64_t ignored_files = 0;    // left out by a rule
  uint64_t ignored_folders = 0;  // with everything below, uncounted
  uint64_t skipped_count = 0;
  static constexpr size_t kMaxSkipped = 1000;
  std::vector<SkippedEntry> skipped;  // the first kMaxSkipped, in path order
  std::vector<std::string> notes;     // one line each, for a person
};

struct WalkOptions {
  // The root's absolute path with links resolved, so that absolute links into it are recognised. May be
  // empty.
  std::string root_path;
  // What git tracks, which no rule ignores. Null outside a repository.
  const TrackedFiles* tracked = nullptr;
  std::string exclude_rules;    // of .git/info/exclude
  bool built_in_rules = false;  // node_modules and the like (ignore.h)
  size_t max_depth = kMaxTreeDepth;
  uint64_t max_entries = kMaxTreeEntries;
};

// kLimit when the tree holds more than max_entries; the root itself must be readable.
Result<WalkSummary> walk_work_tree(const Folder& root, const WalkOptions& options,
                                   const std::function<void(const TreeEntry&)>& visit);

// The walk of a workspace as its repository sees it; null when it has none.
Result<WalkSummary> walk_workspace(const Folder& root, const std::string& root_path,
                                   const GitRepository* repository,
                                   const std::function<void(const TreeEntry&)>& visit);

}  // namespace knapsack::code

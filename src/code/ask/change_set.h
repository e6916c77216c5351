// ChangeSet: what the work tree has changed since a commit, by files and lines.
//
// Compared by content: what the index of the work tree read against what the commit holds. Files that were only listed
// (binary, too large, sensitive) count by their name. One thread, as for CodeIndex.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "code/ask/code_index.h"
#include "code/ask/file_texts.h"
#include "core/line_range.h"
#include "git/repository.h"

namespace knapsack::code {

enum class ChangeKind : uint8_t { kAdded, kChanged, kRemoved };

struct ChangedFile {
  std::string path;
  ChangeKind kind = ChangeKind::kChanged;
  std::vector<LineRange> lines;  // of the work tree; empty for what was removed or only listed
};

struct ChangeSet {
  std::string against;             // the commit's id
  std::vector<ChangedFile> files;  // by path
  std::vector<std::string> notes;  // one line each, for people
};

struct ChangeQuestion {
  std::string revision;  // empty: HEAD
  bool staged = false;   // only files whose staged content differs from it
  // Whether a path is in the work tree: one that the index leaves out is not removed.
  std::function<bool(const std::string& path)> exists;
};

// `index` and `texts` are those of the work tree. kUsage where there is no commit to compare with.
Result<ChangeSet> changes_since(CodeIndex& index, FileTexts& texts, const GitRepository& repository,
                                const ChangeQuestion& question);

}  // namespace knapsack::code

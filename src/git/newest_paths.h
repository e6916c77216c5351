// NewestPaths: what the files of older commits are called today, for whoever reads a history newest first. A path is a text
// or the number of one. One thread.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "git/commit.h"

namespace knapsack {

template <class Path>
class NewestPaths {
 public:
  // `path` itself where it was never renamed since; holds as long as it and until the next step.
  const Path& operator()(const Path& path) const {
    const auto found = newest_.find(path);
    return found == newest_.end() ? path : found->second;
  }

  // After the files of a commit were read, before those of the commits behind it.
  template <class Changes>
  void step_back(const Changes& changes) {
    std::vector<std::pair<Path, Path>> moved;
    // All targets are read before any name changes: two files may swap.
    for (const auto& change : changes) {
      if (change.kind == FileChangeKind::kRenamed) moved.emplace_back(change.old_path, (*this)(change.path));
    }
    for (const auto& change : changes) {
      // Before it was added, a path meant another file or none.
      if (change.kind == FileChangeKind::kAdded || change.kind == FileChangeKind::kRenamed)
        newest_.erase(change.path);
    }
    for (auto& [older, newest] : moved) newest_[std::move(older)] = std::move(newest);
  }

 private:
  std::unordered_map<Path, Path> newest_;
};

}  // namespace knapsack

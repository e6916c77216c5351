// The paths that a repository tracks, read from its index file.
//
// Read here rather than by libgit2: its reader recurses through a cached-tree section of any depth (a crafted
// index of a few megabytes ends the process), and knows neither the split nor the sparse form. Only names,
// modes and ids are taken; no name is longer than a path can be, and all of them together stay below 256 MiB. Immutable;
// safe to share between threads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace knapsack {

class TrackedFiles {
 public:
  TrackedFiles() = default;
  // In any order, with repetitions.
  TrackedFiles(std::vector<std::string> files, std::vector<std::string> submodules);

  bool contains(std::string_view path) const;
  bool has_submodule(std::string_view path) const;
  // Whether any tracked path lies below this folder.
  bool any_below(std::string_view folder) const;
  const std::vector<std::string>& files() const { return files_; }  // sorted as bytes
  const std::vector<std::string>& submodules() const { return submodules_; }

 private:
  std::vector<std::string> files_, submodules_;
};

struct IndexEntry {
  std::string path;
  std::string id;  // of the blob, in hexadecimal digits
  bool is_submodule = false;
};

// What the index holds for the next commit, in the order of the file; a path in conflict is there several times.
Result<std::vector<IndexEntry>> parse_index_entries(std::string_view bytes, const std::string& path);

// Parses an index file of version 2, 3 or 4. kCorrupt names the byte where it stops making sense; kConfig for
// a split index, whose other half lies in another file.
Result<TrackedFiles> parse_git_index(std::string_view bytes, const std::string& path);

}  // namespace knapsack

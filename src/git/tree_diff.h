// What changed between two trees, found by comparing ids and descending only where they differ. Private to
// git/.
//
// The cost is that of the folders that changed, whatever the size of the repository. The walk keeps its own
// stack and stops at limits, so neither depth nor a small commit of a billion files can exhaust anything.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "git/objects.h"

namespace knapsack {

struct TreeChange {
  enum Kind : uint8_t { kAdded, kModified, kDeleted };
  Kind kind;
  std::string path;
  git_oid old_id{}, new_id{};           // zero on the side where there is nothing
  uint32_t old_mode = 0, new_mode = 0;  // as stored
};

struct TreeDiff {
  std::vector<TreeChange> changes;  // by path as bytes, a folder's files where the folder sorts
  bool truncated = false;           // there are more, or some lie too deep
};

// Null stands for an empty tree.
Result<TreeDiff> diff_trees(const GitObjects& objects, const git_oid* old_tree, const git_oid* new_tree,
                            size_t max_changes);

}  // namespace knapsack

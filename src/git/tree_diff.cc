#include "git/tree_diff.h"

#include "git/repository.h"

namespace knapsack {
namespace {

// One folder on its way to being compared; a side without it has no tree.
struct DiffLevel {
  GitTreeHandle old_tree, new_tree;
  size_t old_next = 0, new_next = 0;
  size_t path_length = 0;
};

const git_tree_entry* entry_at(const GitTreeHandle& tree, size_t index) {
  return tree == nullptr ? nullptr : git_tree_entry_byindex(tree.get(), index);
}

bool is_tree(const git_tree_entry* entry) {
  return entry != nullptr && (static_cast<unsigned>(git_tree_entry_filemode_raw(entry)) & 0170000) == 0040000;
}

Result<GitTreeHandle> tree_or_none(const GitObjects& objects, const git_oid* id) {
  if (id == nullptr) return GitTreeHandle();
  return objects.read_tree(*id);
}

TreeChange change_of(const git_tree_entry* before, const git_tree_entry* after, const std::string& path) {
  TreeChange change{TreeChange::kModified, path};
  if (before != nullptr) {
    change.old_id = *git_tree_entry_id(before);
    change.old_mode = static_cast<uint32_t>(git_tree_entry_filemode_raw(before));
  } else {
    change.kind = TreeChange::kAdded;
  }
  if (after != nullptr) {
    change.new_id = *git_tree_entry_id(after);
    change.new_mode = static_cast<uint32_t>(git_tree_entry_filemode_raw(after));
  } else {
    change.kind = TreeChange::kDeleted;
  }
  return change;
}

}  // namespace

Result<TreeDiff> diff_trees(const GitObjects& objects, const git_oid* old_tree, const git_oid* new_tree,
                            size_t max_changes) {
  TreeDiff diff;
  if (old_tree != nullptr && new_tree != nullptr && git_oid_equal(old_tree, new_tree)) return diff;
  std::vector<DiffLevel> levels(1);
  KNAPSACK_TRY(levels[0].old_tree, tree_or_none(objects, old_tree));
  KNAPSACK_TRY(levels[0].new_tree, tree_or_none(objects, new_tree));
  std::string path;
  // Folders are counted too: trees of empty trees can be as many as trees of files.
  size_t visited = 0;
  while (!levels.empty()) {
    DiffLevel& level = levels.back();
    const git_tree_entry* before = entry_at(level.old_tree, level.old_next);
    const git_tree_entry* after = entry_at(level.new_tree, level.new_next);
    if (before == nullptr && after == nullptr) {
      levels.pop_back();
      continue;
    }
    const int order = before == nullptr ? 1 : after == nullptr ? -1 : git_tree_entry_cmp(before, after);
    if (order > 0) before = nullptr;
    if (order < 0) after = nullptr;
    if (before != nullptr) ++level.old_next;
    if (after != nullptr) ++level.new_next;
    if (before != nullptr && after != nullptr &&
        git_oid_equal(git_tree_entry_id(before), git_tree_entry_id(after)) &&
        git_tree_entry_filemode_raw(before) == git_tree_entry_filemode_raw(after)) {
      continue;
    }
    if (++visited > 2 * max_changes || diff.changes.size() == max_changes) {
      diff.truncated = true;
      break;
    }
    path.resize(level.path_length);
    path += git_tree_entry_name(before != nullptr ? before : after);
    if (!is_tree(before) && !is_tree(after)) {
      diff.changes.push_back(change_of(before, after, path));
      continue;
    }
    if (levels.size() == kMaxTreeDepth) {
      diff.truncated = true;
      continue;
    }
    DiffLevel below;
    KNAPSACK_TRY(below.old_tree,
                 tree_or_none(objects, is_tree(before) ? git_tree_entry_id(before) : nullptr));
    KNAPSACK_TRY(below.new_tree, tree_or_none(objects, is_tree(after) ? git_tree_entry_id(after) : nullptr));
    path += '/';
    below.path_length = path.size();
    levels.push_back(std::move(below));
  }
  return diff;
}

}  // namespace knapsack

#include <fmt/format.h>

#include "git/objects.h"
#include "git/repository.h"

namespace knapsack {
namespace {

constexpr unsigned kListedTypeMask = 0170000;

struct Level {
  GitTreeHandle tree;
  size_t next = 0;
  size_t path_length = 0;  // of the folder's path with its trailing slash
};

bool is_file_name(std::string_view name) {
  return name != "." && name != ".." && name != ".git" && name.find('/') == std::string_view::npos;
}

}  // namespace

Result<TreeListing> GitRepository::list_tree(const std::string& commit,
                                             const std::function<bool(const TreeItem&)>& visit) const {
  KNAPSACK_TRY(const git_oid id, parse_git_hex(commit));
  KNAPSACK_TRY(const GitObjects* objects, this->objects());
  KNAPSACK_TRY(const auto start, objects->read_commit(id));
  TreeListing listing;
  std::string path;
  const auto leave_out = [&](std::string_view reason) {
    ++listing.left_out_count;
    if (listing.left_out.size() < TreeListing::kMaxLeftOut)
      listing.left_out.push_back({path, std::string(reason)});
  };
  std::vector<Level> levels;
  KNAPSACK_TRY(auto root, objects->read_tree(*git_commit_tree_id(start.get())));
  levels.push_back({std::move(root)});
  uint64_t visited = 0;
  while (!levels.empty()) {
    Level& level = levels.back();
    if (level.next == git_tree_entrycount(level.tree.get())) {
      levels.pop_back();
      continue;
    }
    if (++visited > kMaxTreeEntries) {
      return Error{ErrorCode::kLimit,
                   fmt::format("commit {} holds more than {} files", commit, kMaxTreeEntries), ""};
    }
    const git_tree_entry* entry = git_tree_entry_byindex(level.tree.get(), level.next);
    const bool in_order =
        level.next == 0 ||
        git_tree_entry_cmp(git_tree_entry_byindex(level.tree.get(), level.next - 1), entry) < 0;
    ++level.next;
    path.resize(level.path_length);
    const std::string_view name = git_tree_entry_name(entry);
    path += name;
    const unsigned mode = static_cast<unsigned>(git_tree_entry_filemode_raw(entry));
    const git_oid& target = *git_tree_entry_id(entry);
    if (!in_order || !is_file_name(name)) {
      leave_out(in_order ? "not a file name" : "out of order or twice in its folder");
      continue;
    }
    TreeItemKind kind = TreeItemKind::kFile;
    switch (mode & kListedTypeMask) {
      case 0040000: {
        if (levels.size() == kMaxTreeDepth) {
          leave_out("too deep");
          continue;
        }
        path += '/';
        KNAPSACK_TRY(auto tree, objects->read_tree(target));
        levels.push_back({std::move(tree), 0, path.size()});
        continue;
      }
      case 0100000:
        kind = (mode & 0100) != 0 ? TreeItemKind::kExecutable : TreeItemKind::kFile;
        break;
      case 0120000:
        kind = TreeItemKind::kSymlink;
        break;
      case 0160000:
        kind = TreeItemKind::kSubmodule;
        break;
      default:
        leave_out("of an unknown mode");
        continue;
    }
    ++listing.items;
    if (!visit({path, git_hex(target), kind})) break;
  }
  return listing;
}

}  // namespace knapsack

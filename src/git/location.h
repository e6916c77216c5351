// Where a workspace's git data lives, and whether it may be read from there.
//
// The data must lie inside the workspace, with two exceptions that git itself makes and that are accepted
// only when both ends agree: a linked work tree (`git worktree add`), whose `worktrees/NAME/gitdir` must name
// this workspace, and a submodule, whose data must lie in `modules/` of an enclosing repository and whose
// core.worktree must name this workspace. Everything that is read from outside is said in `notes`.
//
// Who owns the repository is not asked. git asks because a repository can name programs for it to run; here
// nothing of the kind is ever followed, so reading somebody else's repository is no more than reading their
// files. Values only; no thread rule.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.h"

namespace knapsack {

enum class GitLayout { kPlain, kLinkedWorkTree, kSubmodule, kBare };

struct GitLocation {
  GitLayout layout = GitLayout::kPlain;
  std::string workspace;   // with every link resolved
  std::string git_dir;     // holds HEAD and the index
  std::string common_dir;  // holds references and objects; the same but for linked work trees
  std::vector<std::string> object_folders;  // the repository's own, then those that it borrows from
  std::vector<std::string> shallow;         // commits behind which nothing was fetched, as hex
  bool alternates_left_out = false;         // some borrowed objects are not read
  bool is_partial_clone = false;            // some objects are still with the server
  std::vector<std::string> notes;           // one line each, for a person
};

struct GitOpenOptions {
  // Read objects from wherever objects/info/alternates points (`git clone --shared`). Off by default, since a
  // folder that came from elsewhere could so name any repository of the reader's; alternates inside the
  // workspace are always read.
  bool read_outside_alternates = false;
};

// Nothing when the workspace has no repository of its own; the folders above are not searched.
Result<std::optional<GitLocation>> find_git(const std::string& workspace, const GitOpenOptions& options);

// Refuses a git folder that holds a FIFO or a device where git keeps files, or a link that leads out of it:
// opening those could block forever or read anything. Looks at names only, a few milliseconds.
Status check_git_folder(const std::string& git_dir);
Status check_object_folder(const std::string& objects);

}  // namespace knapsack

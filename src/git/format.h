// GitFormat: the few lines of a repository's own configuration that say how to read it.
//
// Everything else in it, and every file that it includes, is left unread: a configuration may name programs,
// and none of it is ours to follow. Values only; no thread rule.
// Private to git/.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"

namespace knapsack {

struct GitFormat {
  int version = 0;                                              // core.repositoryFormatVersion
  std::string work_tree;                                        // core.worktree, as written; empty when unset
  std::vector<std::pair<std::string, std::string>> extensions;  // names in lower case, in file order
};

// Reads what it recognises and passes over what it does not.
GitFormat parse_git_format(std::string_view config);

// An error for what this program cannot read: SHA-256 objects, references kept in another form than files, a
// later version, an extension it has never heard of. `path` is named in it.
Status check_git_format(const GitFormat& format, const std::string& path);

bool is_partial_clone(const GitFormat& format);

}  // namespace knapsack

#include "engine/settings/workspace.h"

#include <fmt/format.h>

namespace knapsack {

Result<Workspace> find_workspace(const FileSystem& files, const std::string& folder,
                                 const std::optional<std::string>& named) {
  if (named) {
    const std::string path = join_path(folder, *named);
    const auto resolved = files.resolve(path);
    const auto info = resolved.ok() ? files.info(*resolved) : Result<FileInfo>(resolved.error());
    if (!info.ok() || info->kind != FileKind::kDirectory) {
      return Error{ErrorCode::kUsage, fmt::format("{} is not a folder", *named), "name an existing folder"};
    }
    return Workspace{*resolved, "--workspace"};
  }
  for (std::string at = folder;; at = parent_path(at)) {
    for (const char* marker : {"knapsack.toml", ".knapsack", ".git"}) {
      if (files.info(join_path(at, marker)).ok()) return Workspace{at, marker};
    }
    if (at == "/" || at == ".") break;
  }
  return Workspace{folder, "the current folder"};
}

std::string relative_to(const std::string& folder, const std::string& path) {
  if (path == folder) return ".";
  const std::string prefix = folder.ends_with('/') ? folder : folder + "/";
  return path.starts_with(prefix) ? path.substr(prefix.size()) : path;
}

}  // namespace knapsack

// Finding the workspace: the folder that is being served.
#pragma once

#include <optional>
#include <string>

#include "core/files/file_system.h"

namespace knapsack {

struct Workspace {
  std::string path;      // absolute
  std::string found_by;  // "--workspace", "knapsack.toml", ".knapsack", ".git" or "the current folder"
};

// The named folder, else the nearest one from `folder` upwards that holds knapsack.toml, .knapsack/ or .git,
// else `folder` itself.
Result<Workspace> find_workspace(const FileSystem& files, const std::string& folder,
                                 const std::optional<std::string>& named);

// `path` as somebody in `folder` would write it, when it lies below; else as it is.
std::string relative_to(const std::string& folder, const std::string& path);

}  // namespace knapsack

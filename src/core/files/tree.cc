#include "core/files/tree.h"

namespace knapsack {

Status make_directories(FileSystem& files, const std::string& path) {
  if (files.info(path).ok()) return ok_status();
  const std::string above = parent_path(path);
  if (above != path && !files.info(above).ok()) KNAPSACK_CHECK(make_directories(files, above));
  return files.make_directory(path);
}

Status remove_tree(FileSystem& files, const std::string& path) {
  const auto info = files.info(path);
  if (!info.ok()) return info.error().code == ErrorCode::kNotFound ? ok_status() : Status(info.error());
  if (info->kind == FileKind::kDirectory) {
    KNAPSACK_TRY(const auto entries, files.list(path));
    for (const DirectoryEntry& entry : entries)
      KNAPSACK_CHECK(remove_tree(files, join_path(path, entry.name)));
  }
  return files.remove(path);
}

}  // namespace knapsack

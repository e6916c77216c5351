#include "store/state_folder.h"

#include <fmt/format.h>

namespace knapsack {
namespace {

constexpr std::string_view kStateFolderName = ".knapsack";

bool is_below_state_folder(std::string_view path) {
  return path.find(fmt::format("/{}/", kStateFolderName)) != std::string_view::npos;
}

Status check_folder_itself(const FileSystem& files, const std::string& path) {
  const auto info = files.info(path);
  if (!info.ok()) return info.error().code == ErrorCode::kNotFound ? ok_status() : Status(info.error());
  return info->kind == FileKind::kDirectory ? ok_status() : Status(not_a_folder(path, info->kind));
}

}  // namespace

std::string state_folder_of(const std::string& workspace) {
  return join_path(workspace, kStateFolderName);
}

Status check_own_folder(const FileSystem& files, const std::string& path) {
  for (std::string at = path;; at = parent_path(at)) {
    KNAPSACK_CHECK(check_folder_itself(files, at));
    // Above the state folder is the user's ground, where links are.
    if (base_name(at) == kStateFolderName || !is_below_state_folder(at)) return ok_status();
  }
}

Status ensure_own_folder(FileSystem& files, const std::string& path) {
  if (is_below_state_folder(path)) KNAPSACK_CHECK(check_own_folder(files, parent_path(path)));
  const auto before = files.info(path);
  if (!before.ok()) {
    if (before.error().code != ErrorCode::kNotFound) return before.error();
    return files.make_directory(path);
  }
  return before->kind == FileKind::kDirectory ? ok_status() : Status(not_a_folder(path, before->kind));
}

Result<std::string> ensure_state_folder(FileSystem& files, const std::string& workspace) {
  const std::string folder = state_folder_of(workspace);
  KNAPSACK_CHECK(ensure_own_folder(files, folder));
  const std::string ignore = join_path(folder, ".gitignore");
  const auto there = files.info(ignore);
  if (!there.ok()) {
    if (there.error().code != ErrorCode::kNotFound) return there.error();
    KNAPSACK_CHECK(files.replace(ignore, "*\n"));
  }
  return folder;
}

Result<std::string> ensure_sessions_folder(FileSystem& files, const std::string& workspace) {
  KNAPSACK_TRY(const std::string folder, ensure_state_folder(files, workspace));
  const std::string sessions = join_path(folder, "sessions");
  KNAPSACK_CHECK(ensure_own_folder(files, sessions));
  return sessions;
}

}  // namespace knapsack

#include "store/state_folder.h"

#include <fmt/format.h>

namespace knapsack {
namespace {

Status require_folder(FileSystem& files, const std::string& path) {
  KNAPSACK_TRY(const FileInfo info, files.info(path));
  if (info.kind == FileKind::kDirectory) return ok_status();
  return Error{ErrorCode::kIo, fmt::format("{} is {}, not a folder", path, describe(info.kind)),
               "remove it: knapsack keeps its state in a folder of that name"};
}

Status ensure_folder(FileSystem& files, const std::string& path) {
  const auto before = files.info(path);
  if (!before.ok()) {
    if (before.error().code != ErrorCode::kNotFound) return before.error();
    KNAPSACK_CHECK(files.make_directory(path));
  }
  return require_folder(files, path);
}

}  // namespace

std::string state_folder_of(const std::string& workspace) {
  return join_path(workspace, ".knapsack");
}

Result<std::string> ensure_state_folder(FileSystem& files, const std::string& workspace) {
  const std::string folder = state_folder_of(workspace);
  KNAPSACK_CHECK(ensure_folder(files, folder));
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
  KNAPSACK_CHECK(ensure_folder(files, sessions));
  return sessions;
}

}  // namespace knapsack

// Where the folders that settings name are on disk.
#include <fmt/format.h>

#include "engine/settings.h"

namespace knapsack {
namespace {

constexpr std::string_view kOpenClawMemory = ".openclaw/workspace/memory/local";  // below HOME
constexpr std::string_view kOwnMemory = ".knapsack/memory";                       // below the workspace

}  // namespace

std::string context_folder(const Settings& settings, const SettingsRequest& request) {
  return join_path(settings.context_dir_from_flag ? request.started_in : request.workspace,
                   settings.notes_context_dir);
}

std::string graph_folder(const Settings& settings, const SettingsRequest& request) {
  return join_path(settings.graph_dir_from_flag ? request.started_in : request.workspace, settings.graph_dir);
}

Result<std::string> memory_folder(const FileSystem& files, const Settings& settings,
                                  const SettingsRequest& request) {
  const auto home_variable = request.environment.find("HOME");
  const std::string home = home_variable == request.environment.end() ? "" : home_variable->second;
  const auto resolved = [&files](const std::string& path) {
    auto real = files.resolve(path);
    return real.ok() ? *std::move(real) : path;
  };
  if (settings.memory_dir == "auto") {
    const std::string known = join_path(home, kOpenClawMemory);
    if (!home.empty() && files.info(known).ok()) return resolved(known);
    return join_path(request.workspace, kOwnMemory);
  }
  std::string folder = settings.memory_dir;
  if (folder.starts_with("~/")) {
    if (home.empty()) {
      return Error{ErrorCode::kConfig,
                   fmt::format("memory.dir '{}' starts at HOME, which is not set", folder),
                   "give the whole path"};
    }
    folder = join_path(home, folder.substr(2));
  }
  folder = join_path(settings.memory_dir_from_flag ? request.started_in : request.workspace, folder);
  // Whoever names a link means what it points to; one that a repository brings along is refused.
  return settings.memory_dir_from_file ? folder : resolved(folder);
}

}  // namespace knapsack

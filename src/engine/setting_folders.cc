// Where the folders that settings name are on disk.
#include <fmt/format.h>

#include "engine/places.h"
#include "engine/settings.h"

namespace knapsack {
namespace {

constexpr std::string_view kOpenClawMemory = ".openclaw/workspace/memory/local";  // below HOME
constexpr std::string_view kOwnMemory = ".knapsack/memory";                       // below the workspace

std::string home_of(const SettingsRequest& request) {
  const auto home = request.environment.find("HOME");
  return home == request.environment.end() ? "" : home->second;
}

std::string folder_of(const std::string& named, bool from_flag, const SettingsRequest& request) {
  const std::string& base = from_flag ? request.started_in : request.workspace;
  const auto path = expand_place(named, base, home_of(request));
  return path.ok() ? *path : join_path(base, named);
}

}  // namespace

std::string context_folder(const Settings& settings, const SettingsRequest& request) {
  return folder_of(settings.notes_context_dir, settings.context_dir_from_flag, request);
}

std::string graph_folder(const Settings& settings, const SettingsRequest& request) {
  return folder_of(settings.graph_dir, settings.graph_dir_from_flag, request);
}

Result<std::string> memory_folder(const FileSystem& files, const Settings& settings,
                                  const SettingsRequest& request) {
  const std::string home = home_of(request);
  const auto resolved = [&files](const std::string& path) {
    auto real = files.resolve(path);
    return real.ok() ? *std::move(real) : path;
  };
  if (settings.memory_dir == "auto") {
    const std::string known = join_path(home, kOpenClawMemory);
    if (!home.empty() && files.info(known).ok()) return resolved(known);
    // The state folder comes with a clone as easily as any other: one that is a link is not followed.
    std::string own = join_path(request.workspace, kOwnMemory);
    if (const auto inside = check_place_inside(files, request.workspace, own); !inside.ok()) {
      return Error{ErrorCode::kIo, fmt::format("{} {}", own, inside.error().what),
                   "remove the link, or name another folder with --memory-dir"};
    }
    return own;
  }
  auto folder = expand_place(settings.memory_dir,
                             settings.memory_dir_from_flag ? request.started_in : request.workspace, home);
  if (!folder.ok()) {
    Error error = folder.error();
    error.what = "memory.dir " + error.what;
    return error;
  }
  // Whoever names a link means what it points to; one that a repository brings along is refused.
  return settings.memory_dir_from_file ? *folder : resolved(*folder);
}

}  // namespace knapsack

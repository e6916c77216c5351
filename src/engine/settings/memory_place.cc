#include "engine/settings/memory_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/ascii.h"
#include "core/ids.h"
#include "core/paths.h"
#include "engine/settings/places.h"
#include "memory/tree/tree.h"

namespace knapsack {
namespace {

constexpr std::string_view kOpenClawMemory = ".openclaw/workspace/memory/local";  // below HOME
constexpr std::string_view kFormerMemory = ".knapsack/memory";                    // below the workspace
constexpr std::string_view kWorkspaceMemory = "memory";
constexpr std::string_view kWorkspaceFile = "workspace";  // in a folder of the user's data: whose it is
constexpr size_t kPlaceHashDigits = 12;
constexpr uint64_t kMaxPathBytes = 64 << 10;
constexpr size_t kMaxLost = 20;

std::string variable_of(const SettingsRequest& request, const std::string& name) {
  const auto found = request.environment.find(name);
  return found == request.environment.end() ? "" : found->second;
}

std::string data_folder(const SettingsRequest& request) {
  std::string base = variable_of(request, "XDG_DATA_HOME");
  if (!base.starts_with('/')) {
    const std::string home = variable_of(request, "HOME");
    if (!home.starts_with('/')) return "";
    base = join_path(home, ".local/share");
  }
  return join_path(base, "knapsack/memory");
}

// A folder of that name may as well hold code: it counts where it holds what only a memory tree does, or nothing yet.
bool is_memory_tree(const FileSystem& files, const std::string& folder) {
  const auto info = files.info(folder);
  if (!info.ok() || info->kind != FileKind::kDirectory) return false;
  const auto entries = files.list(folder);
  if (!entries.ok()) return false;
  const auto tells = [](const DirectoryEntry& entry) {
    if (entry.kind == FileKind::kRegular) return entry.name == memory::kProfileFile;
    constexpr std::array<std::string_view, 5> kTelling = {"facts", "corrections", "artifacts", "boxes",
                                                          "namespaces"};
    return entry.kind == FileKind::kDirectory &&
           std::find(kTelling.begin(), kTelling.end(), entry.name) != kTelling.end();
  };
  const bool empty = std::all_of(entries->begin(), entries->end(),
                                 [](const DirectoryEntry& entry) { return entry.name.starts_with('.'); });
  return empty || std::any_of(entries->begin(), entries->end(), tells);
}

// The last part of a path as part of a file name.
std::string folder_name_of(std::string_view path) {
  path = base_name(path);
  std::string name;
  for (const char c : path) {
    const bool plain = ascii::is_letter(c) || ascii::is_digit(c);
    name += plain ? ascii::lower(c) : '-';
  }
  return name.substr(0, 40);
}

Result<MemoryPlace> automatic_place(const FileSystem& files, const SettingsRequest& request) {
  const std::string own = join_path(request.workspace, kWorkspaceMemory);
  if (is_memory_tree(files, own)) return MemoryPlace{own, MemoryPlace::Kind::kWorkspace};
  const std::string home = variable_of(request, "HOME");
  if (const std::string known = join_path(home, kOpenClawMemory); !home.empty() && files.info(known).ok()) {
    auto real = files.resolve(known);
    return MemoryPlace{real.ok() ? *std::move(real) : known, MemoryPlace::Kind::kOpenClaw};
  }
  if (std::string data = user_memory_folder(request); !data.empty())
    return MemoryPlace{std::move(data), MemoryPlace::Kind::kUserData};
  // The state folder comes with a clone as easily as any other: one that is a link is not followed.
  std::string state = former_memory_folder(request.workspace);
  if (const auto inside = check_place_inside(files, request.workspace, state); !inside.ok()) {
    return Error{ErrorCode::kIo, fmt::format("{} {}", state, inside.error().what),
                 "remove the link, or name another folder with `memory.dir`"};
  }
  return MemoryPlace{std::move(state), MemoryPlace::Kind::kState};
}

}  // namespace

std::string_view MemoryPlace::described() const {
  switch (kind) {
    case Kind::kNamed:
      return "named by memory.dir";
    case Kind::kWorkspace:
      return "of the workspace";
    case Kind::kOpenClaw:
      return "OpenClaw's";
    case Kind::kUserData:
      return "in your data folder";
    case Kind::kState:
      break;
  }
  return "in the state folder: HOME is not set";
}

std::string user_memory_folder(const SettingsRequest& request) {
  const std::string data = data_folder(request);
  if (data.empty()) return "";
  return join_path(data, fmt::format("{}-{}", folder_name_of(request.workspace),
                                     content_hash(request.workspace).substr(0, kPlaceHashDigits)));
}

std::string former_memory_folder(const std::string& workspace) {
  return join_path(workspace, kFormerMemory);
}

Result<MemoryPlace> memory_place(const FileSystem& files, const Settings& settings,
                                 const SettingsRequest& request) {
  if (settings.memory_dir == "auto") return automatic_place(files, request);
  auto folder = expand_place(settings.memory_dir,
                             settings.memory_dir_from_flag ? request.started_in : request.workspace,
                             variable_of(request, "HOME"));
  if (!folder.ok()) {
    Error error = folder.error();
    error.what = "memory.dir " + error.what;
    return error;
  }
  // Whoever names a link means what it points to; one that a repository brings along is refused.
  if (settings.memory_dir_from_file) return MemoryPlace{*folder, MemoryPlace::Kind::kNamed};
  auto real = files.resolve(*folder);
  return MemoryPlace{real.ok() ? *std::move(real) : *folder, MemoryPlace::Kind::kNamed};
}

Result<std::string> memory_folder(const FileSystem& files, const Settings& settings,
                                  const SettingsRequest& request) {
  KNAPSACK_TRY(MemoryPlace place, memory_place(files, settings, request));
  return std::move(place.folder);
}

Status ensure_folders_above(FileSystem& files, const MemoryPlace& place) {
  if (place.kind != MemoryPlace::Kind::kUserData) return ok_status();
  std::vector<std::string> missing;
  for (std::string above = parent_path(place.folder); above != "/" && !files.info(above).ok();
       above = parent_path(above))
    missing.push_back(above);
  for (auto each = missing.rbegin(); each != missing.rend(); ++each)
    KNAPSACK_CHECK(files.make_directory(*each));
  return ok_status();
}

Status ensure_memory_place(FileSystem& files, const MemoryPlace& place, const std::string& workspace) {
  if (place.kind != MemoryPlace::Kind::kUserData) return ok_status();
  const std::string owner = join_path(place.folder, kWorkspaceFile);
  if (files.info(owner).ok()) return ok_status();
  KNAPSACK_CHECK(ensure_folders_above(files, place));
  KNAPSACK_CHECK(files.make_directory(place.folder));
  return files.replace(owner, workspace + "\n");
}

std::vector<LostMemories> find_lost_memories(const FileSystem& files, const SettingsRequest& request) {
  std::vector<LostMemories> lost;
  const std::string data = data_folder(request);
  const auto entries =
      data.empty() ? Result<std::vector<DirectoryEntry>>(std::vector<DirectoryEntry>()) : files.list(data);
  if (!entries.ok()) return lost;
  for (const DirectoryEntry& entry : *entries) {
    if (entry.kind != FileKind::kDirectory || lost.size() == kMaxLost) continue;
    const std::string folder = join_path(data, entry.name);
    const auto text = files.read(join_path(folder, kWorkspaceFile), kMaxPathBytes);
    if (!text.ok()) continue;
    std::string workspace = text->substr(0, text->find('\n'));
    const auto there = files.info(workspace);
    if (!there.ok() && there.error().code == ErrorCode::kNotFound)
      lost.push_back({folder, std::move(workspace)});
  }
  return lost;
}

}  // namespace knapsack

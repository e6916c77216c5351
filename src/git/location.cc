#include "git/location.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/files/file_system.h"
#include "git/format.h"

namespace knapsack {
namespace {

// Far above any real file of its kind (a .git file is one line; a configuration a few kilobytes).
constexpr uint64_t kSmallFile = 1 << 20;
constexpr uint64_t kShallowFile = 64 << 20;
constexpr size_t kMaxAlternates = 32;

bool is_below(const std::string& path, const std::string& folder) {
  return path == folder || (path.starts_with(folder) && path.size() > folder.size() &&
                            (folder.ends_with('/') || path[folder.size()] == '/'));
}

class Finder {
 public:
  explicit Finder(const GitOpenOptions& options) : options_(options), disk_(make_disk_file_system()) {}

  Result<std::optional<GitLocation>> find(const std::string& workspace);

 private:
  Result<bool> find_folder(GitLocation& place);
  Status follow_git_file(GitLocation& place);
  bool is_linked_work_tree(GitLocation& place) const;
  bool is_submodule(const GitLocation& place);
  const std::string& git_folder_of(const std::string& folder);
  Status read_details(GitLocation& place) const;
  Status add_alternates(GitLocation& place) const;

  bool is(const std::string& path, FileKind kind) const {
    const auto about = disk_->info(path);
    return about.ok() && about->kind == kind;
  }
  bool exists(const std::string& path) const { return disk_->info(path).ok(); }
  bool looks_like_git(const std::string& folder, const std::string& common) const {
    return exists(folder + "/HEAD") && exists(common + "/objects") && exists(common + "/refs");
  }
  // The path that the first line of a file names, resolved against `base`; empty when there is none.
  std::string named_path(const std::string& file, const std::string& base,
                         std::string_view prefix = "") const;

  GitOpenOptions options_;
  std::unique_ptr<FileSystem> disk_;
  std::unordered_map<std::string, std::string>
      git_folders_;  // of folders above the workspace; empty for none
};

std::string Finder::named_path(const std::string& file, const std::string& base,
                               std::string_view prefix) const {
  const auto bytes = disk_->read(file, kSmallFile);
  if (!bytes.ok() || !bytes->starts_with(prefix)) return "";
  const std::string name = bytes->substr(prefix.size(), bytes->find_first_of("\r\n") - prefix.size());
  if (name.empty() || name.find('\0') != std::string::npos) return "";
  const auto resolved = disk_->resolve(join_path(base, name));
  return resolved.ok() ? *resolved : "";
}

Result<std::optional<GitLocation>> Finder::find(const std::string& workspace) {
  GitLocation place;
  KNAPSACK_TRY(place.workspace, disk_->resolve(workspace));
  KNAPSACK_TRY(const bool found, find_folder(place));
  if (!found) return std::optional<GitLocation>();
  KNAPSACK_CHECK(read_details(place));
  return std::optional<GitLocation>(std::move(place));
}

Result<bool> Finder::find_folder(GitLocation& place) {
  const std::string entry = join_path(place.workspace, ".git");
  const auto about = disk_->info(entry);
  if (!about.ok()) {
    if (about.error().code != ErrorCode::kNotFound) return about.error();
    if (!is(place.workspace + "/HEAD", FileKind::kRegular) ||
        !is(place.workspace + "/objects", FileKind::kDirectory) ||
        !is(place.workspace + "/refs", FileKind::kDirectory)) {
      return false;
    }
    place.layout = GitLayout::kBare;
    place.git_dir = place.common_dir = place.workspace;
    return true;
  }
  switch (about->kind) {
    case FileKind::kRegular:
      KNAPSACK_CHECK(follow_git_file(place));
      return true;
    case FileKind::kOther:
      return Error{ErrorCode::kCorrupt, fmt::format("{} is {}", entry, describe(about->kind)), "remove it"};
    case FileKind::kSymlink: {
      const auto target = disk_->resolve(entry);
      if (!target.ok() || !is_below(*target, place.workspace)) {
        return Error{ErrorCode::kConfig,
                     fmt::format("{} is a link that leads out of the workspace: not followed", entry),
                     "use the repository's actual folder as the workspace"};
      }
      place.git_dir = *target;
      break;
    }
    case FileKind::kDirectory:
      place.git_dir = entry;
  }
  place.common_dir = place.git_dir;
  if (looks_like_git(place.git_dir, place.git_dir)) {
    if (!exists(place.git_dir + "/commondir")) return true;
    return Error{ErrorCode::kConfig,
                 fmt::format("{} says that its objects lie elsewhere (commondir): not followed", entry),
                 "open the repository that it belongs to"};
  }
  // git passes over a folder of this name that holds nothing of a repository, and so do we.
  for (const char* part : {"/HEAD", "/objects", "/refs"}) {
    const auto found = disk_->info(place.git_dir + part);
    if (!found.ok() && found.error().code != ErrorCode::kNotFound) return found.error();
    if (found.ok()) {
      return Error{ErrorCode::kCorrupt,
                   fmt::format("{} is damaged: HEAD, objects or refs is missing", place.git_dir),
                   "restore it, or remove it to use the folder without history"};
    }
  }
  return false;
}

Status Finder::follow_git_file(GitLocation& place) {
  const std::string entry = join_path(place.workspace, ".git");
  place.git_dir = named_path(entry, place.workspace, "gitdir: ");
  if (place.git_dir.empty()) {
    return Error{ErrorCode::kCorrupt, fmt::format("{} names no git folder that exists", entry),
                 "repair it with `git worktree repair` or remove it"};
  }
  place.common_dir = place.git_dir;
  if (is_linked_work_tree(place)) {
    place.layout = GitLayout::kLinkedWorkTree;
  } else if (is_submodule(place)) {
    place.layout = GitLayout::kSubmodule;
  } else if (!is_below(place.git_dir, place.workspace)) {
    return Error{ErrorCode::kConfig,
                 fmt::format("{} points out of the workspace to {}, which does not point back: not followed",
                             entry, place.git_dir),
                 "run `git worktree repair` if this is a work tree of that repository"};
  }
  if (!looks_like_git(place.git_dir, place.common_dir)) {
    return Error{ErrorCode::kCorrupt,
                 fmt::format("{} names {}, which is not a git folder", entry, place.git_dir),
                 "repair it with `git worktree repair` or remove it"};
  }
  if (!is_below(place.common_dir, place.workspace)) {
    place.notes.push_back(
        fmt::format("git data is read from {}, outside the workspace ({})", place.common_dir,
                    place.layout == GitLayout::kSubmodule ? "submodule" : "linked work tree"));
  }
  return ok_status();
}

// git_dir is COMMON/worktrees/NAME, its `gitdir` names this workspace's .git, its `commondir` COMMON.
bool Finder::is_linked_work_tree(GitLocation& place) const {
  const std::string worktrees = parent_path(place.git_dir);
  const std::string common = parent_path(worktrees);
  if (!worktrees.ends_with("/worktrees")) return false;
  if (named_path(place.git_dir + "/commondir", place.git_dir) != common) return false;
  if (named_path(place.git_dir + "/gitdir", place.git_dir) != join_path(place.workspace, ".git"))
    return false;
  place.common_dir = common;
  return true;
}

// git_dir lies in modules/ of a repository that encloses the workspace, and its core.worktree is the
// workspace.
bool Finder::is_submodule(const GitLocation& place) {
  const auto config = disk_->read(place.git_dir + "/config", kSmallFile);
  if (!config.ok() || exists(place.git_dir + "/commondir")) return false;
  const auto format = parse_git_format(*config);
  const auto back = disk_->resolve(join_path(place.git_dir, format.work_tree));
  if (format.work_tree.empty() || !back.ok() || *back != place.workspace) return false;
  // From the root downwards, so that what is asked of a folder about those above it is known.
  for (size_t end = 0; end < place.workspace.size() && place.workspace != "/";) {
    const std::string& outer = git_folder_of(end == 0 ? "/" : place.workspace.substr(0, end));
    if (!outer.empty() && is_below(place.git_dir, outer + "/modules")) return true;
    end = std::min(place.workspace.find('/', end + 1), place.workspace.size());
  }
  return false;
}

// The enclosing repository passes the same checks, so the data cannot be smuggled in one level up. Each folder is looked
// at once: where all of a path have a .git file, each would ask again for all that are above it.
const std::string& Finder::git_folder_of(const std::string& folder) {
  const auto known = git_folders_.find(folder);
  if (known != git_folders_.end()) return known->second;
  GitLocation place;
  place.workspace = folder;
  const auto found = find_folder(place);
  return git_folders_[folder] = found.ok() && *found ? place.git_dir : "";
}

Status Finder::read_details(GitLocation& place) const {
  GitFormat format;
  if (const auto config = disk_->read(place.common_dir + "/config", kSmallFile); config.ok()) {
    format = parse_git_format(*config);
  } else if (config.error().code != ErrorCode::kNotFound) {
    return config.error();
  }
  KNAPSACK_CHECK(check_git_format(format, place.common_dir));
  place.is_partial_clone = is_partial_clone(format);
  if (!format.work_tree.empty() && place.layout == GitLayout::kPlain) {
    const auto elsewhere = disk_->resolve(join_path(place.git_dir, format.work_tree));
    if (!elsewhere.ok() || *elsewhere != place.workspace) {
      place.notes.push_back(fmt::format("core.worktree names {}: not followed, files are read from {}",
                                        format.work_tree, place.workspace));
    }
  }
  KNAPSACK_CHECK(check_git_folder(place.git_dir));
  if (place.common_dir != place.git_dir) KNAPSACK_CHECK(check_git_folder(place.common_dir));
  const std::string shallow = place.common_dir + "/shallow";
  if (exists(shallow)) {
    KNAPSACK_TRY(const std::string lines, disk_->read(shallow, kShallowFile));
    for (size_t at = 0; at < lines.size();) {
      const size_t end = std::min(lines.find('\n', at), lines.size());
      if (end - at == 40) place.shallow.push_back(lines.substr(at, 40));
      at = end + 1;
    }
    std::sort(place.shallow.begin(), place.shallow.end());
    if (!place.shallow.empty()) {
      place.notes.emplace_back("shallow clone: history ends where fetching stopped");
    }
  }
  return add_alternates(place);
}

Status Finder::add_alternates(GitLocation& place) const {
  place.object_folders = {place.common_dir + "/objects"};
  for (size_t i = 0; i < place.object_folders.size(); ++i) {
    const std::string folder = place.object_folders[i];
    KNAPSACK_CHECK(check_object_folder(folder));
    const auto lines = disk_->read(folder + "/info/alternates", kSmallFile);
    for (size_t at = 0; lines.ok() && at < lines->size();) {
      const size_t end = std::min(lines->find('\n', at), lines->size());
      const std::string line = lines->substr(at, end - at);
      at = end + 1;
      if (line.empty() || line[0] == '#' || line.find('\0') != std::string::npos) continue;
      const auto target = disk_->resolve(join_path(folder, line));
      const bool inside =
          target.ok() && (is_below(*target, place.workspace) || is_below(*target, place.common_dir));
      if (!target.ok() || (!inside && !options_.read_outside_alternates)) {
        place.notes.push_back(fmt::format(
            "objects borrowed from {} (info/alternates) are not read; `git repack -a -d` copies them", line));
        place.alternates_left_out = true;
        continue;
      }
      auto& known = place.object_folders;
      if (std::find(known.begin(), known.end(), *target) != known.end() || known.size() > kMaxAlternates)
        continue;
      if (!inside)
        place.notes.push_back(fmt::format("objects are also read from {} (info/alternates)", *target));
      known.push_back(*target);
    }
  }
  return ok_status();
}

}  // namespace

Result<std::optional<GitLocation>> find_git(const std::string& workspace, const GitOpenOptions& options) {
  return Finder(options).find(workspace);
}

}  // namespace knapsack

#include "engine/eval/eval_repositories.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/paths.h"
#include "git/location.h"

namespace knapsack {
namespace {

bool is_repository(const FileSystem& files, const std::string& path) {
  const auto info = files.info(path);
  if (!info.ok() || info->kind != FileKind::kDirectory) return false;
  const auto resolved = files.resolve(path);
  if (!resolved.ok()) return false;
  const auto found = find_git(*resolved, {});
  return found.ok() && found->has_value();
}

// The repository in this place, if there is one.
std::string repository_at(const FileSystem& files, const std::string& path) {
  for (const std::string& place : {path, join_path(path, "repo")}) {
    if (!is_repository(files, place)) continue;
    const auto resolved = files.resolve(place);
    if (resolved.ok()) return *resolved;
  }
  return "";
}

// A name from outside must not lead out of the folder.
bool is_plain_name(std::string_view name) {
  return !name.empty() && name.front() != '/' && name != ".." && !name.starts_with("../") &&
         name.find("/../") == std::string_view::npos && !name.ends_with("/..");
}

}  // namespace

Result<std::string> find_repository(const FileSystem& files, const std::string& folder,
                                    const std::string& name) {
  if (!is_plain_name(name)) {
    return Error{ErrorCode::kUsage, fmt::format("'{}' does not name a repository", name), "write owner/name"};
  }
  std::string joined = name;
  std::replace(joined.begin(), joined.end(), '/', '+');
  const std::string last(base_name(name));
  for (const std::string& form : {joined, name, last}) {
    if (auto found = repository_at(files, join_path(folder, form)); !found.empty()) return found;
  }
  return Error{ErrorCode::kNotFound,
               fmt::format("{} has no repository {}, {} or {}", folder, joined, name, last),
               fmt::format("clone it: `git clone --bare https://github.com/{} {}/{}`", name, folder, joined)};
}

Result<std::vector<std::string>> list_repositories(const FileSystem& files, const std::string& folder) {
  KNAPSACK_TRY(const auto entries, files.list(folder));
  std::vector<std::string> names;
  for (const DirectoryEntry& entry : entries) {
    if (entry.kind != FileKind::kDirectory) continue;
    const std::string path = join_path(folder, entry.name);
    if (!repository_at(files, path).empty()) {
      names.push_back(entry.name);
      continue;
    }
    const auto inner = files.list(path);
    if (!inner.ok()) continue;
    for (const DirectoryEntry& below : *inner) {
      if (below.kind == FileKind::kDirectory && !repository_at(files, join_path(path, below.name)).empty()) {
        names.push_back(entry.name + "/" + below.name);
      }
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace knapsack

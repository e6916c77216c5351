#include "engine/settings/places.h"

#include <fmt/format.h>

#include "text/unicode/name_fold.h"
#include "text/unicode/utf8.h"

namespace knapsack {
namespace {

Error refused(std::string why) {
  return {ErrorCode::kConfig, std::move(why), ""};
}

// Names that some file system, or a person, takes for another one than their bytes say: full-width dots and
// slashes, `.GIT`, `.g<zero width>it`, `GIT~1`.
Status check_component(std::string_view name) {
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\')
      return refused("is not a valid folder name");
  }
  if (!valid_utf8(name)) return refused("is not a valid folder name");
  const std::string plain = compatible_fold(name);
  if (plain != name &&
      (plain == "." || plain == ".." || plain.find('/') != std::string::npos || plain.empty()))
    return refused("is not a valid folder name");
  if (plain == ".git" || plain.starts_with("git~")) return refused("leads into the repository's own data");
  return ok_status();
}

}  // namespace

Result<std::string> expand_place(std::string_view named, const std::string& base, const std::string& home) {
  if (named != "~" && !named.starts_with("~/")) return join_path(base, named);
  if (home.empty()) {
    return Error{ErrorCode::kConfig, fmt::format("'{}' starts at HOME, which is not set", named),
                 "give the full path"};
  }
  return named == "~" ? home : join_path(home, named.substr(2));
}

Status check_place_inside(const FileSystem& files, const std::string& workspace, const std::string& path) {
  const auto resolved = files.resolve(workspace);
  const std::string root = resolved.ok() ? *resolved : workspace;
  // The way of the caller to the workspace is the caller's; what comes after it is the name that is checked.
  const bool from_root = is_below(path, workspace);
  std::string at = from_root ? root : "/";
  std::string_view left = std::string_view(path).substr(from_root ? workspace.size() : 0);
  bool exists = true;
  while (!left.empty()) {
    const size_t slash = left.find('/');
    const std::string_view name = left.substr(0, slash);
    left.remove_prefix(slash == std::string_view::npos ? left.size() : slash + 1);
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      if (!exists) return refused("goes back from a folder that is not there");
      at = parent_path(at);
      continue;
    }
    KNAPSACK_CHECK(check_component(name));
    at = join_path(at, name);
    if (!exists) continue;
    const auto info = files.info(at);
    if (!info.ok() && info.error().code == ErrorCode::kNotFound) {
      exists = false;
    } else if (!info.ok()) {
      return refused("cannot be looked at: " + info.error().what);
    } else if (info->kind == FileKind::kSymlink) {
      const auto target = files.resolve(at);
      if (!target.ok()) return refused("is a link that leads nowhere");
      at = *target;
    }
  }
  if (!is_below(at, root)) return refused("leads out of the workspace");
  return ok_status();
}

bool lies_in(const FileSystem& files, const std::string& folder, const std::string& path) {
  const auto outer = files.resolve(folder);
  const auto inner = files.resolve(path);
  return outer.ok() && inner.ok() && is_below(*inner, *outer);
}

}  // namespace knapsack

#include "core/paths.h"

#include <algorithm>

#include "core/split.h"

namespace knapsack {

std::string_view stem_of(std::string_view path) {
  const std::string_view name = base_name(path);
  const size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

std::string join_path(std::string_view folder, std::string_view name) {
  if (folder.empty() || name.starts_with('/')) return std::string(name);
  std::string path;
  path.reserve(folder.size() + 1 + name.size());
  path.append(folder);
  if (!name.empty() && folder.back() != '/') path += '/';
  return path.append(name);
}

std::string parent_path(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return std::string(slash == 0 ? path.substr(0, 1) : path.substr(0, slash));
}

std::optional<std::string> resolve_path(std::string_view folder, std::string_view path) {
  if (path.find('\0') != std::string_view::npos) return std::nullopt;
  std::string resolved(folder);
  bool escaped = false;
  for_each_part(path, "/", [&](std::string_view part) {
    if (part.empty() || part == ".") return;
    if (part != "..") {
      if (!resolved.empty()) resolved += '/';
      resolved += part;
    } else if (resolved.empty()) {
      escaped = true;
    } else {
      resolved.resize(folder_of(resolved).size());
    }
  });
  if (escaped) return std::nullopt;
  return resolved;
}

size_t shared_folders(std::string_view a, std::string_view b) {
  const size_t length = std::min(a.size(), b.size());
  size_t folders = 0;
  for (size_t i = 0; i < length && a[i] == b[i]; ++i) {
    if (a[i] == '/') ++folders;
  }
  return folders;
}

bool is_below(std::string_view path, std::string_view folder) {
  if (folder.empty() || folder == "/") return true;
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

}  // namespace knapsack

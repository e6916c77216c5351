#include "code/repository_paths.h"

#include <algorithm>

namespace knapsack::code {

std::string_view stem_of(std::string_view path) {
  const std::string_view name = base_name(path);
  const size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

std::string join_path(std::string_view folder, std::string_view name) {
  if (folder.empty()) return std::string(name);
  if (name.empty()) return std::string(folder);
  std::string path;
  path.reserve(folder.size() + 1 + name.size());
  path.append(folder).append(1, '/').append(name);
  return path;
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
  if (folder.empty()) return true;
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::string replace_all(std::string_view text, std::string_view from, std::string_view to) {
  std::string replaced;
  bool is_first = true;
  for_each_part(text, from, [&](std::string_view part) {
    if (!is_first) replaced += to;
    replaced += part;
    is_first = false;
  });
  return replaced;
}

}  // namespace knapsack::code

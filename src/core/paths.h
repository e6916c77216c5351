// Paths as text, with '/': nothing is looked up. Those of a repository are relative, and "" is its root. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace knapsack {

// "" for a file at the root.
inline std::string_view folder_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

inline std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// The base name without what follows its last dot; ".bashrc" keeps its dot.
std::string_view stem_of(std::string_view path);

// folder/name; what is absolute, or has no folder, stands alone.
std::string join_path(std::string_view folder, std::string_view name);

// The folder part of a path on disk; "." when there is none, "/" at the root.
std::string parent_path(std::string_view path);

// `path` as seen from `folder`, with "." and ".." resolved and empty parts dropped; nothing where it leaves
// the root or holds a NUL. A leading slash counts for nothing.
std::optional<std::string> resolve_path(std::string_view folder, std::string_view path);

// How many leading folders two paths share.
size_t shared_folders(std::string_view a, std::string_view b);

// True for the folder itself and everything below it; everything is below the root, "" or "/".
bool is_below(std::string_view path, std::string_view folder);

// Real trees are below 30 levels deep; in a hostile one each step up would cost the length of the path.
inline constexpr size_t kMaxAncestors = 64;

// Calls visit(folder) for a folder and each one above it up to the root, "", until one returns true; says
// whether one did. Of more than kMaxAncestors only the nearest and the root.
template <class Visit>
bool any_ancestor(std::string_view folder, Visit visit) {
  for (size_t steps = 1;; ++steps) {
    if (visit(folder)) return true;
    if (folder.empty()) return false;
    folder = steps < kMaxAncestors ? folder_of(folder) : std::string_view();
  }
}

}  // namespace knapsack

#include "core/files/folder.h"

#include <fmt/format.h>

#include <algorithm>

namespace knapsack {

Status check_entry_name(std::string_view name) {
  const bool plain = !name.empty() && name != "." && name != ".." && name.find('/') == name.npos &&
                     name.find('\0') == name.npos;
  if (plain) return ok_status();
  return Error{ErrorCode::kUsage, fmt::format("'{}' is not the name of an entry", name), ""};
}

Result<std::vector<std::string>> relative_components(const std::string& path) {
  std::vector<std::string> parts;
  size_t from = 0;
  while (from <= path.size()) {
    const size_t slash = std::min(path.find('/', from), path.size());
    std::string part = path.substr(from, slash - from);
    if (!check_entry_name(part).ok()) {
      return Error{ErrorCode::kUsage, fmt::format("'{}' is not a path below the workspace", path),
                   "name a file by its path from the workspace"};
    }
    parts.push_back(std::move(part));
    from = slash + 1;
  }
  return parts;
}

Result<std::string> read_beneath(const Folder& root, const std::string& path, uint64_t max_bytes) {
  KNAPSACK_TRY(const auto parts, relative_components(path));
  std::unique_ptr<Folder> held;
  const Folder* at = &root;
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    KNAPSACK_TRY(auto below, at->enter(parts[i]));
    held = std::move(below);
    at = held.get();
  }
  return at->read(parts.back(), max_bytes);
}

}  // namespace knapsack

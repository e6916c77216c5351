#include "core/file_system.h"

namespace knapsack {

std::string_view describe(FileKind kind) {
  switch (kind) {
    case FileKind::kRegular:
      return "a regular file";
    case FileKind::kDirectory:
      return "a directory";
    case FileKind::kSymlink:
      return "a symbolic link";
    case FileKind::kOther:
      break;
  }
  return "a FIFO, socket or device";
}

std::string join_path(std::string_view folder, std::string_view name) {
  if (name.starts_with('/') || folder.empty()) return std::string(name);
  std::string path(folder);
  if (path.back() != '/') path += '/';
  return path += name;
}

std::string parent_path(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return std::string(slash == 0 ? path.substr(0, 1) : path.substr(0, slash));
}

}  // namespace knapsack

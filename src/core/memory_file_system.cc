#include "core/memory_file_system.h"

#include <fmt/format.h>

#include <algorithm>

namespace knapsack {
namespace {

Error missing(const std::string& path) {
  return {ErrorCode::kNotFound, fmt::format("cannot look at {}: No such file or directory", path), ""};
}

}  // namespace

std::optional<Error> MemoryFileSystem::count_call() const {
  ++calls_;
  if (failure_ && calls_ == fail_at_) return failure_;
  return std::nullopt;
}

void MemoryFileSystem::fail_at(uint64_t nth, Error error) {
  calls_ = 0;
  fail_at_ = nth;
  failure_ = std::move(error);
}

void MemoryFileSystem::add_parents(const std::string& path) {
  for (std::string folder = parent_path(path); folder != "/" && folder != "."; folder = parent_path(folder)) {
    nodes_.try_emplace(folder, Node{FileKind::kDirectory, "", ++ticks_});
  }
}

void MemoryFileSystem::set(const std::string& path, Node node) {
  node.mtime_nanos = ++ticks_;
  nodes_[path] = std::move(node);
}

void MemoryFileSystem::put(const std::string& path, std::string bytes) {
  add_parents(path);
  set(path, {FileKind::kRegular, std::move(bytes), 0});
}

void MemoryFileSystem::put_kind(const std::string& path, FileKind kind) {
  add_parents(path);
  set(path, {kind, "", 0});
}

void MemoryFileSystem::put_link(const std::string& path, const std::string& target) {
  add_parents(path);
  set(path, {FileKind::kSymlink, target, 0});
}

Result<FileInfo> MemoryFileSystem::info(const std::string& path) const {
  if (auto failure = count_call()) return *failure;
  const auto found = nodes_.find(path);
  if (found == nodes_.end()) return missing(path);
  return FileInfo{found->second.kind, found->second.bytes.size(), found->second.mtime_nanos, 0};
}

Result<std::string> MemoryFileSystem::read(const std::string& path, uint64_t max_bytes) const {
  if (auto failure = count_call()) return *failure;
  const auto found = nodes_.find(path);
  if (found == nodes_.end()) return missing(path);
  if (found->second.kind != FileKind::kRegular) {
    return Error{ErrorCode::kIo,
                 fmt::format("{} is {}, not a regular file", path, describe(found->second.kind)),
                 "replace it with a plain file or remove it"};
  }
  if (found->second.bytes.size() > max_bytes) {
    return Error{ErrorCode::kLimit, fmt::format("{} is larger than {} bytes", path, max_bytes),
                 "split it or shorten it"};
  }
  return found->second.bytes;
}

Result<std::vector<DirectoryEntry>> MemoryFileSystem::list(const std::string& path) const {
  if (auto failure = count_call()) return *failure;
  const auto folder = nodes_.find(path);
  if (path != "/" && (folder == nodes_.end() || folder->second.kind != FileKind::kDirectory))
    return missing(path);
  std::vector<DirectoryEntry> entries;
  const std::string prefix = path == "/" ? path : path + "/";
  for (auto it = nodes_.lower_bound(prefix); it != nodes_.end() && it->first.starts_with(prefix); ++it) {
    const std::string name = it->first.substr(prefix.size());
    if (name.find('/') == std::string::npos) entries.push_back({name, it->second.kind});
  }
  return entries;
}

Result<std::string> MemoryFileSystem::resolve(const std::string& path) const {
  if (auto failure = count_call()) return *failure;
  std::string at = path;
  for (int hops = 0; hops < 40; ++hops) {
    const auto found = nodes_.find(at);
    if (found == nodes_.end()) return missing(path);
    if (found->second.kind != FileKind::kSymlink) return at;
    at = found->second.bytes;
  }
  return Error{ErrorCode::kIo, fmt::format("cannot resolve {}: too many links", path), ""};
}

Status MemoryFileSystem::make_directory(const std::string& path) {
  if (auto failure = count_call()) return *failure;
  nodes_.try_emplace(path, Node{FileKind::kDirectory, "", ++ticks_});
  return ok_status();
}

Status MemoryFileSystem::replace(const std::string& path, std::string_view bytes) {
  if (auto failure = count_call()) return *failure;
  set(path, {FileKind::kRegular, std::string(bytes), 0});
  return ok_status();
}

Status MemoryFileSystem::rename(const std::string& from, const std::string& to) {
  if (auto failure = count_call()) return *failure;
  const auto found = nodes_.find(from);
  if (found == nodes_.end()) return missing(from);
  Node node = std::move(found->second);
  nodes_.erase(found);
  nodes_[to] = std::move(node);
  return ok_status();
}

Status MemoryFileSystem::remove(const std::string& path) {
  if (auto failure = count_call()) return *failure;
  if (nodes_.erase(path) == 0) return missing(path);
  return ok_status();
}

}  // namespace knapsack

#include "core/files/memory_file_system.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/files/folder.h"

namespace knapsack {
namespace {

Error missing(const std::string& path) {
  return {ErrorCode::kNotFound, fmt::format("cannot look at {}: No such file or directory", path), ""};
}

}  // namespace

std::optional<Error> MemoryFileSystem::count_call() const {
  ++calls_;
  if (failure_ && (calls_ == fail_at_ || (stays_down_ && calls_ > fail_at_))) return failure_;
  return std::nullopt;
}

void MemoryFileSystem::fail_at(uint64_t nth, Error error) {
  calls_ = 0;
  fail_at_ = nth;
  stays_down_ = false;
  failure_ = std::move(error);
}

void MemoryFileSystem::crash_at(uint64_t nth, Error error) {
  fail_at(nth, std::move(error));
  stays_down_ = true;
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

void MemoryFileSystem::sync_folder(const std::string& path) {
  for (auto it = removed_.begin(); it != removed_.end();) {
    it = parent_path(it->first) == path ? removed_.erase(it) : std::next(it);
  }
}

void MemoryFileSystem::lose_power() {
  for (auto& [path, node] : removed_) nodes_.try_emplace(path, std::move(node));
  removed_.clear();
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

// A view of one folder of a MemoryFileSystem, which must outlive it.
class MemoryFolder final : public Folder {
 public:
  MemoryFolder(const MemoryFileSystem& files, std::string path) : files_(files), path_(std::move(path)) {}

  Result<std::vector<FolderEntry>> entries(uint64_t max_entries) const override {
    KNAPSACK_TRY(const auto names, files_.list(path_));
    if (names.size() > max_entries) {
      return Error{ErrorCode::kLimit, fmt::format("{} holds more than {} entries", path_, max_entries),
                   "ignore it or choose a smaller workspace"};
    }
    std::vector<FolderEntry> found;
    for (const auto& [name, kind] : names) {
      KNAPSACK_TRY(const auto about, files_.info(join_path(path_, name)));
      found.push_back({name, about});
    }
    return found;
  }

  Result<FileInfo> info(const std::string& name) const override {
    KNAPSACK_CHECK(check_entry_name(name));
    return files_.info(join_path(path_, name));
  }

  Result<std::unique_ptr<Folder>> enter(const std::string& name) const override {
    KNAPSACK_CHECK(check_entry_name(name));
    return files_.open_folder(join_path(path_, name));
  }

  Result<std::string> read(const std::string& name, uint64_t max_bytes) const override {
    KNAPSACK_CHECK(check_entry_name(name));
    return files_.read(join_path(path_, name), max_bytes);
  }

  Result<std::string> link_target(const std::string& name) const override {
    KNAPSACK_CHECK(check_entry_name(name));
    const auto found = files_.nodes_.find(join_path(path_, name));
    if (found == files_.nodes_.end()) return missing(join_path(path_, name));
    return found->second.bytes;
  }

 private:
  const MemoryFileSystem& files_;
  std::string path_;
};

Result<std::unique_ptr<Folder>> MemoryFileSystem::open_folder(const std::string& path) const {
  KNAPSACK_TRY(const auto about, info(path));
  if (about.kind != FileKind::kDirectory) {
    return Error{ErrorCode::kIo, fmt::format("{} is {}, not a directory", path, describe(about.kind)),
                 "links to folders are not followed"};
  }
  return std::unique_ptr<Folder>(std::make_unique<MemoryFolder>(*this, path));
}

Status MemoryFileSystem::make_directory(const std::string& path) {
  if (auto failure = count_call()) return *failure;
  const auto [at, made] = nodes_.try_emplace(path, Node{FileKind::kDirectory, "", ++ticks_});
  if (at->second.kind != FileKind::kDirectory) return not_a_folder(path, at->second.kind);
  sync_folder(parent_path(path));
  return ok_status();
}

Status MemoryFileSystem::replace(const std::string& path, std::string_view bytes) {
  if (auto failure = count_call()) return *failure;
  set(path, {FileKind::kRegular, std::string(bytes), 0});
  sync_folder(parent_path(path));
  return ok_status();
}

Status MemoryFileSystem::append(const std::string& path, uint64_t at, std::string_view bytes) {
  const bool down = failure_ && stays_down_ && calls_ >= fail_at_;  // a dead process writes nothing
  const auto failure = count_call();
  if (failure && down) return *failure;
  const auto found = nodes_.find(path);
  std::string content = found == nodes_.end() ? "" : found->second.bytes;
  if (content.size() < at) return Error{ErrorCode::kCorrupt, path + " is shorter than it was", "try again"};
  const auto left = [&]() -> std::string {
    switch (torn_) {
      case Torn::kHalf:
        return std::string(bytes.substr(0, bytes.size() / 2));
      case Torn::kNothing:
        return "";
      case Torn::kZeros:
        return std::string(bytes.size(), '\0');
      case Torn::kAll:
        break;
    }
    return std::string(bytes);
  };
  const std::string written = failure ? left() : std::string(bytes);
  content.replace(at, std::min(content.size() - at, written.size()), written);
  if (found == nodes_.end()) sync_folder(parent_path(path));
  set(path, {FileKind::kRegular, std::move(content), 0});
  return failure ? Status(*failure) : ok_status();
}

Status MemoryFileSystem::rename(const std::string& from, const std::string& to) {
  if (auto failure = count_call()) return *failure;
  const auto found = nodes_.find(from);
  if (found == nodes_.end()) return missing(from);
  Node node = std::move(found->second);
  nodes_.erase(found);
  nodes_[to] = std::move(node);
  // What a folder holds goes with it.
  const std::string below = from + "/";
  for (auto each = nodes_.lower_bound(below); each != nodes_.end() && each->first.starts_with(below);) {
    nodes_[to + "/" + each->first.substr(below.size())] = std::move(each->second);
    each = nodes_.erase(each);
  }
  sync_folder(parent_path(to));
  return ok_status();
}

Status MemoryFileSystem::remove(const std::string& path) {
  if (auto failure = count_call()) return *failure;
  const auto found = nodes_.find(path);
  if (found == nodes_.end()) return missing(path);
  removed_[path] = std::move(found->second);
  nodes_.erase(found);
  return ok_status();
}

}  // namespace knapsack

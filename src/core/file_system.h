// FileSystem: the only door to the disk outside store/ (whose databases SQLite itself reads and writes).
//
// Reading never follows a symbolic link in the last component, never blocks on a FIFO and never reads past
// the size it was given. Writing is atomic: a reader sees the old bytes or the new ones. Safe to share
// between threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace knapsack {

enum class FileKind { kRegular, kDirectory, kSymlink, kOther };

// "a directory", "a symbolic link", … for messages.
std::string_view describe(FileKind kind);

struct FileInfo {
  FileKind kind = FileKind::kRegular;
  uint64_t size = 0;
  int64_t mtime_nanos = 0;
  uint64_t inode = 0;
};

struct DirectoryEntry {
  std::string name;
  FileKind kind = FileKind::kRegular;
};

class Folder;

class FileSystem {
 public:
  virtual ~FileSystem() = default;

  // About the path itself, not about what a link points to. kNotFound when nothing is there.
  virtual Result<FileInfo> info(const std::string& path) const = 0;
  // The bytes of a regular file; kLimit when it holds more than max_bytes, kIo for anything that is not a
  // file.
  virtual Result<std::string> read(const std::string& path, uint64_t max_bytes) const = 0;
  // What a folder holds, sorted by name as bytes.
  virtual Result<std::vector<DirectoryEntry>> list(const std::string& path) const = 0;
  // The path with every link resolved; kNotFound when it leads nowhere.
  virtual Result<std::string> resolve(const std::string& path) const = 0;

  // A handle from which everything below `path` can be reached and nothing else (core/folder.h).
  virtual Result<std::unique_ptr<Folder>> open_folder(const std::string& path) const = 0;

  // Creates one folder, readable by its owner only; no error when it is there already.
  virtual Status make_directory(const std::string& path) = 0;
  // Writes beside the target, syncs, renames over it, syncs the folder. Mode 0600.
  virtual Status replace(const std::string& path, std::string_view bytes) = 0;
  virtual Status rename(const std::string& from, const std::string& to) = 0;
  virtual Status remove(const std::string& path) = 0;
};

std::unique_ptr<FileSystem> make_disk_file_system();

// "a/b" from "a" and "b"; an absolute second part stands alone.
std::string join_path(std::string_view folder, std::string_view name);
// The folder part; "." when there is none, "/" at the root.
std::string parent_path(std::string_view path);

}  // namespace knapsack

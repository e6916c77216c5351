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

#include "core/paths.h"
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

// The bytes of a file as they were when it was opened; they stay while this lives, even if the name goes.
class FileBytes {
 public:
  virtual ~FileBytes() = default;
  virtual std::string_view bytes() const = 0;
};

// A file in the making: nobody sees it before commit(), and nothing is left of it if that never comes.
class NewFile {
 public:
  virtual ~NewFile() = default;
  virtual Status append(std::string_view bytes) = 0;
  // Syncs, renames to `path` (in the folder that it was created in), syncs the folder. Called once, last. What it takes the
  // place of keeps who may read and write it; else only its owner may.
  virtual Status commit(const std::string& path) = 0;
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
  // `length` bytes from `offset` on, of a file that may be far larger; kCorrupt when it ends before that.
  virtual Result<std::string> read_part(const std::string& path, uint64_t offset, uint64_t length) const;
  // What a folder holds, sorted by name as bytes.
  virtual Result<std::vector<DirectoryEntry>> list(const std::string& path) const = 0;
  // The path with every link resolved; kNotFound when it leads nowhere.
  virtual Result<std::string> resolve(const std::string& path) const = 0;

  // A handle from which everything below `path` can be reached and nothing else (core/files/folder.h). A form that
  // has none says so.
  virtual Result<std::unique_ptr<Folder>> open_folder(const std::string& path) const;

  // Creates one folder, readable by its owner only, and syncs the one above; no error when it is there
  // already. A link to a folder is refused: what is put into it would be written somewhere else.
  virtual Status make_directory(const std::string& path) = 0;
  // Writes beside the target, syncs, renames over it, syncs the folder. Mode 0600.
  virtual Status replace(const std::string& path, std::string_view bytes) = 0;
  // Writes at `at`, which is the end of the file, or before it where an earlier append was cut short; syncs
  // the file, and the folder where it was created (mode 0600). Nothing before `at` changes. Not atomic: a
  // crash can leave any part of the bytes. Here it goes through read() and replace().
  virtual Status append(const std::string& path, uint64_t at, std::string_view bytes);
  virtual Status rename(const std::string& from, const std::string& to) = 0;
  // The same file under a second name, which must be free; it is not to be changed any more. Here it is copied.
  virtual Status share(const std::string& from, const std::string& to);
  virtual Status remove(const std::string& path) = 0;

  // For large files that never change: all bytes at once without reading them, and writing piece by piece.
  // Here they go through read() and replace(); the disk maps and streams.
  virtual Result<std::shared_ptr<const FileBytes>> map(const std::string& path) const;
  virtual Result<std::unique_ptr<NewFile>> create(const std::string& folder);
};

// What create() calls its files until they are committed: this and six letters and digits. Hidden, so that nobody's own
// file is called so, and no memory can be.
constexpr std::string_view kNewFilePrefix = ".new.";
constexpr size_t kNewFileRandomCharacters = 6;
// One that a crash left behind can be removed.
bool is_new_file_name(std::string_view name);

// Why nothing is made or removed in `path`, and what to do.
Error not_a_folder(const std::string& path, FileKind kind);

std::unique_ptr<FileSystem> make_disk_file_system();

}  // namespace knapsack

// Folder: an open folder, and the only way down from it.
//
// Every step names one entry of the folder that is already open and follows no link, so no matter what is
// renamed or swapped for a symbolic link meanwhile, nothing outside the first folder can be reached. Reading
// never blocks on a FIFO or a device. Safe to share between threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/file_system.h"

namespace knapsack {

struct FolderEntry {
  std::string name;
  FileInfo info;
};

// Every `name` is one entry of this folder: kUsage when it is empty, "." or "..", or holds a slash or a NUL.
class Folder {
 public:
  virtual ~Folder() = default;

  // What it holds, sorted by name as bytes; kLimit when that is more than max_entries.
  virtual Result<std::vector<FolderEntry>> entries(uint64_t max_entries) const = 0;
  virtual Result<FileInfo> info(const std::string& name) const = 0;
  // The folder of that name; kIo for anything else, a symbolic link to a folder among it.
  virtual Result<std::unique_ptr<Folder>> enter(const std::string& name) const = 0;
  // The bytes of a regular file, as they were at one moment. kLimit when it holds more than max_bytes, kBusy
  // when it changed during each of three attempts. (The system's clock for files ticks every few
  // milliseconds: two changes of one size within a tick look like one.)
  virtual Result<std::string> read(const std::string& name, uint64_t max_bytes) const = 0;
  // What a symbolic link says, unresolved.
  virtual Result<std::string> link_target(const std::string& name) const = 0;
};

// Opens a folder; links in `path` itself are followed, since the caller chose it.
Result<std::unique_ptr<Folder>> open_disk_folder(const std::string& path);

// Reads "a/b/c" below a folder, one component at a time. kUsage for a path that is absolute, empty, or has an
// empty, "." or ".." component.
Result<std::string> read_beneath(const Folder& root, const std::string& path, uint64_t max_bytes);

Status check_entry_name(std::string_view name);

// The components of such a path.
Result<std::vector<std::string>> relative_components(const std::string& path);

}  // namespace knapsack

// TreeWriter: the one way to change the memory tree.
//
// It holds the lock of the memory folder while it lives, so that programs take turns; people with editors do
// not, so a file is read again right before it is replaced, and once more if it changed meanwhile. Every
// change is a whole new file under the old name: a crash leaves the old bytes or the new ones. Folders of the
// tree that are symbolic links are refused: nothing is written outside the memory folder. One thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/file_system.h"
#include "memory/tree/front_matter.h"
#include "memory/tree/memory.h"
#include "store/file_lock.h"

namespace knapsack::memory {

class TreeWriter {
 public:
  // Creates the memory folder where it is missing (not the folders above it) and waits for other writers.
  static Result<TreeWriter> open(FileSystem& files, const std::string& memory_dir, bool on_disk);

  FileSystem& files() const { return *files_; }
  const std::string& memory_dir() const { return memory_dir_; }
  std::string full_path(std::string_view path) const { return join_path(memory_dir_, path); }

  // Writes a file that is not there yet, with the folders above it. kUsage when something is.
  knapsack::Status create(const std::string& path, std::string_view bytes);
  // Sets keys of a memory's front matter. `choose` sees the memory as its file is now; no keys: no change.
  // It may be asked again when the file changes meanwhile.
  using ChooseKeys = std::function<std::vector<KeyValue>(const Memory&)>;
  knapsack::Status set_keys(const std::string& path, const ChooseKeys& choose);
  // Writes a file, there or not.
  knapsack::Status replace(const std::string& path, std::string_view bytes);
  knapsack::Status remove(const std::string& path);
  // Refuses a path that leaves the tree, by its words (kUsage) or through a link (kIo); kNotFound where a
  // folder of it is missing.
  knapsack::Status check_path(const std::string& path) const;
  // A folder of the tree, created where it is missing; a link in its place is refused. "" is the root.
  knapsack::Status ensure_folder(const std::string& path);

 private:
  TreeWriter(FileSystem& files, std::string memory_dir)
      : files_(&files), memory_dir_(std::move(memory_dir)) {}
  knapsack::Status write(const std::string& path, std::string_view bytes,
                         const std::function<knapsack::Status()>& before_commit);
  void sweep_unfinished(const std::string& folder);

  FileSystem* files_;
  std::string memory_dir_;
  std::optional<FileLock> lock_;
};

}  // namespace knapsack::memory

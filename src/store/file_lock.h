// An advisory lock on a file of its own, between processes and between opens of one process.
//
// Held until destroyed, also by the system when the process dies. The file stays: removing a lock file would
// let two holders lock two different files of one name.
#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "core/result.h"

namespace knapsack {

class FileLock {
 public:
  enum class Mode { kShared, kExclusive };

  // Creates the file (mode 0600) where it is missing; kBusy when others still hold it after `timeout`.
  static Result<FileLock> acquire(const std::string& path, Mode mode, std::chrono::milliseconds timeout);

  // The same on a folder that is there, without a file of its own in it.
  static Result<FileLock> acquire_folder(const std::string& path, Mode mode,
                                         std::chrono::milliseconds timeout);

  // What the holder wants others to know of it, kept in the file; the last one stays there after it is gone.
  void leave_note(const std::string& note);
  static std::string note_of(const std::string& path);

  FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  Status wait(const std::string& path, Mode mode, std::chrono::milliseconds timeout);
  int descriptor_;
};

}  // namespace knapsack

// SQLite, and our own file operations, on a CrashDisk.
//
// Behaves as SQLite's unix VFS does where power loss is concerned: the first sync of a new journal or log
// syncs the folder too, other syncs do not. A database that SQLite is asked to create is created and its name
// synced beforehand, as sqlite.cc does on a real disk. Locks and shared memory work within the process.
#pragma once

#include <memory>
#include <string>

#include "core/files/file_system.h"
#include "support_crash_disk.h"

namespace knapsack::testing {

// A registered VFS over one disk. Every connection must be closed before it goes.
class CrashVfs {
 public:
  explicit CrashVfs(CrashDisk& disk);
  ~CrashVfs();
  CrashVfs(const CrashVfs&) = delete;
  CrashVfs& operator=(const CrashVfs&) = delete;

  const std::string& name() const;

 private:
  struct Registration;
  std::unique_ptr<Registration> registration_;
};

// The FileSystem seam over the same disk, as far as the ledger uses it.
class CrashFileSystem final : public FileSystem {
 public:
  explicit CrashFileSystem(CrashDisk& disk) : disk_(disk) {}

  Result<FileInfo> info(const std::string& path) const override;
  Result<std::string> read(const std::string& path, uint64_t max_bytes) const override;
  Result<std::vector<DirectoryEntry>> list(const std::string& path) const override;
  Result<std::string> resolve(const std::string& path) const override;
  Status make_directory(const std::string& path) override;
  Status replace(const std::string& path, std::string_view bytes) override;
  Status rename(const std::string& from, const std::string& to) override;
  Status remove(const std::string& path) override;

 private:
  CrashDisk& disk_;
};

}  // namespace knapsack::testing

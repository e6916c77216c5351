// CountingFiles: the disk, with an account of what is read through the seam. Any thread.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/files/file_system.h"
#include "core/files/folder.h"

namespace knapsack::testing {

class CountingFiles : public FileSystem {
 public:
  CountingFiles() : disk_(make_disk_file_system()) {}

  // How often a file was read, by its path.
  std::map<std::string, int> reads() const {
    const std::lock_guard guard(lock_);
    return reads_;
  }

  Result<FileInfo> info(const std::string& path) const override { return disk_->info(path); }
  Result<std::string> read(const std::string& path, uint64_t max_bytes) const override {
    count(path);
    return disk_->read(path, max_bytes);
  }
  Result<std::string> read_part(const std::string& path, uint64_t offset, uint64_t length) const override {
    count(path);
    return disk_->read_part(path, offset, length);
  }
  Result<std::vector<DirectoryEntry>> list(const std::string& path) const override {
    return disk_->list(path);
  }
  Result<std::string> resolve(const std::string& path) const override { return disk_->resolve(path); }
  Result<std::unique_ptr<Folder>> open_folder(const std::string& path) const override {
    return disk_->open_folder(path);
  }
  Status make_directory(const std::string& path) override { return disk_->make_directory(path); }
  Status replace(const std::string& path, std::string_view bytes) override {
    return disk_->replace(path, bytes);
  }
  Status append(const std::string& path, uint64_t at, std::string_view bytes) override {
    return disk_->append(path, at, bytes);
  }
  Status rename(const std::string& from, const std::string& to) override { return disk_->rename(from, to); }
  Status remove(const std::string& path) override { return disk_->remove(path); }
  Result<std::shared_ptr<const FileBytes>> map(const std::string& path) const override {
    return disk_->map(path);
  }
  Result<std::unique_ptr<NewFile>> create(const std::string& folder) override {
    return disk_->create(folder);
  }

 private:
  void count(const std::string& path) const {
    const std::lock_guard guard(lock_);
    ++reads_[path];
  }

  std::unique_ptr<FileSystem> disk_;
  mutable std::mutex lock_;
  mutable std::map<std::string, int> reads_;
};

}  // namespace knapsack::testing

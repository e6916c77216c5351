// The in-memory form of FileSystem: tests fill it, and can make the nth call fail or crash there.
//
// A failed call leaves what the real one would: nothing changed, but for an append, of which half is there,
// or what leave_of_append() says. A power failure also undoes removals that no sync made last. Not safe to
// share between threads.
#pragma once

#include <map>
#include <optional>

#include "core/files/file_system.h"

namespace knapsack {

class MemoryFileSystem final : public FileSystem {
 public:
  void put(const std::string& path, std::string bytes);
  void put_kind(const std::string& path, FileKind kind);              // a FIFO, a folder…
  void put_link(const std::string& path, const std::string& target);  // resolve() wants it absolute

  // The call numbered `nth` from here on, the next one being 1, fails with `error`; later calls work again.
  void fail_at(uint64_t nth, Error error);
  // The same, and no later call works: the process was killed there. fail_at() with a call that never comes
  // brings it back to life.
  void crash_at(uint64_t nth, Error error);
  uint64_t calls() const { return calls_; }

  // What is there of an append that failed: the disk may have got any part of it, or only its length.
  enum class Torn { kHalf, kNothing, kZeros, kAll };
  void leave_of_append(Torn torn) { torn_ = torn; }
  // Undoes every removal after which nothing synced its folder.
  void lose_power();

  Result<FileInfo> info(const std::string& path) const override;
  Result<std::string> read(const std::string& path, uint64_t max_bytes) const override;
  Result<std::vector<DirectoryEntry>> list(const std::string& path) const override;
  Result<std::string> resolve(const std::string& path) const override;
  Result<std::unique_ptr<Folder>> open_folder(const std::string& path) const override;
  Status make_directory(const std::string& path) override;
  Status replace(const std::string& path, std::string_view bytes) override;
  Status append(const std::string& path, uint64_t at, std::string_view bytes) override;
  Status rename(const std::string& from, const std::string& to) override;
  Status remove(const std::string& path) override;

 private:
  friend class MemoryFolder;
  struct Node {
    FileKind kind = FileKind::kRegular;
    std::string bytes;  // or the target of a link
    int64_t mtime_nanos = 0;
  };
  std::optional<Error> count_call() const;
  void add_parents(const std::string& path);
  void set(const std::string& path, Node node);
  void sync_folder(const std::string& path);

  std::map<std::string, Node> nodes_;
  mutable uint64_t calls_ = 0;
  uint64_t fail_at_ = 0;
  bool stays_down_ = false;
  std::optional<Error> failure_;
  Torn torn_ = Torn::kHalf;
  std::map<std::string, Node> removed_;  // and not yet for good
  int64_t ticks_ = 0;                    // stands in for modification times
};

}  // namespace knapsack

// PackFile: where the objects of one pack lie and what their deltas rest on. Private to git/; bytes of
// objects are libgit2's to read.
//
// Every offset and size comes from a file that may be made up, and is checked before it is used. The files
// are mapped, as libgit2 maps them: git never shortens a pack in place. Belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "git/library.h"

namespace knapsack {

// A regular file, mapped whole.
class MappedFile {
 public:
  static std::optional<MappedFile> open(const std::string& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  std::string_view bytes() const { return {data_, size_}; }

 private:
  MappedFile(const char* data, size_t size) : data_(data), size_(size) {}
  const char* data_;
  size_t size_;
};

class PackFile {
 public:
  // Null for an index or pack that cannot be read at all; libgit2 will say so when it tries.
  static std::unique_ptr<PackFile> open(const std::string& index_path);
  std::optional<uint64_t> find(const git_oid& id) const;
  // Why the object at this offset must not be read; null when it may.
  const char* objection(uint64_t offset);

 private:
  struct Entry {
    std::optional<uint64_t> base;  // where the object lies that this one is a delta of
  };
  PackFile(MappedFile index, MappedFile pack) : index_(std::move(index)), pack_(std::move(pack)) {}
  std::optional<Entry> entry_at(uint64_t offset) const;
  uint32_t number(size_t at) const;

  MappedFile index_, pack_;
  bool version_2_ = false;
  uint32_t count_ = 0;
  std::unordered_set<uint64_t> sound_;  // offsets whose chain is known to end
};

}  // namespace knapsack

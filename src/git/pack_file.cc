#include "git/pack_file.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <cstring>
#include <vector>

#include "core/files/disk_support.h"

namespace knapsack {
namespace {

constexpr size_t kMaxChain = 10'000;  // git itself never makes chains longer than 4,095
constexpr size_t kFanout = 1024;      // 256 numbers
constexpr size_t kVersion2Header = 8;
constexpr int kOffsetDelta = 6, kIdDelta = 7;

std::optional<unsigned char> byte_at(std::string_view bytes, uint64_t at) {
  if (at >= bytes.size()) return std::nullopt;
  return static_cast<unsigned char>(bytes[at]);
}

}  // namespace

std::optional<MappedFile> MappedFile::open(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat status {};
  if (!file.valid() || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_size <= 0) {
    return std::nullopt;
  }
  const auto size = static_cast<size_t>(status.st_size);
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (data == MAP_FAILED) return std::nullopt;
  return MappedFile(static_cast<const char*>(data), size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

uint32_t PackFile::number(size_t at) const {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(index_.bytes()[at + i]);
  return value;
}

std::unique_ptr<PackFile> PackFile::open(const std::string& index_path) {
  auto index = MappedFile::open(index_path);
  auto pack = MappedFile::open(index_path.substr(0, index_path.size() - 4) + ".pack");
  if (!index || !pack) return nullptr;
  auto file = std::unique_ptr<PackFile>(new PackFile(std::move(*index), std::move(*pack)));
  const std::string_view bytes = file->index_.bytes();
  file->version_2_ = bytes.starts_with(std::string_view("\377tOc\0\0\0\2", kVersion2Header));
  const size_t fanout = file->version_2_ ? kVersion2Header : 0;
  if (bytes.size() < fanout + kFanout) return nullptr;
  file->count_ = file->number(fanout + kFanout - 4);
  // Version 2 holds an id, a checksum and an offset for every object; version 1 an offset and an id.
  const uint64_t each = GIT_OID_RAWSZ + (file->version_2_ ? 8 : 4);
  if (bytes.size() < fanout + kFanout + each * file->count_) return nullptr;
  return file;
}

std::optional<uint64_t> PackFile::find(const git_oid& id) const {
  const size_t fanout = version_2_ ? kVersion2Header : 0;
  const size_t names = fanout + kFanout + (version_2_ ? 0 : 4);
  const size_t stride = version_2_ ? GIT_OID_RAWSZ : GIT_OID_RAWSZ + 4;
  uint32_t low = id.id[0] == 0 ? 0 : std::min(number(fanout + size_t{id.id[0] - 1U} * 4), count_);
  uint32_t high = std::min(number(fanout + size_t{id.id[0]} * 4), count_);
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const int order = std::memcmp(index_.bytes().data() + names + stride * middle, id.id, GIT_OID_RAWSZ);
    if (order == 0) {
      if (!version_2_) return number(names + stride * middle - 4);
      const size_t offsets = names + size_t{count_} * (GIT_OID_RAWSZ + 4);
      const uint32_t offset = number(offsets + 4 * size_t{middle});
      if ((offset & 0x80000000U) == 0) return offset;
      const size_t wide = offsets + 4 * size_t{count_} + 8 * size_t{offset & 0x7fffffffU};
      if (wide + 8 > index_.bytes().size()) return std::nullopt;
      return uint64_t{number(wide)} << 32 | number(wide + 4);
    }
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return std::nullopt;
}

std::optional<PackFile::Entry> PackFile::entry_at(uint64_t offset) const {
  const std::string_view bytes = pack_.bytes();
  uint64_t at = offset;
  const auto first = byte_at(bytes, at++);
  if (!first) return std::nullopt;
  const int type = (*first >> 4) & 7;
  // The rest of its size, which is libgit2's to look at.
  for (auto c = first; (*c & 128) != 0;) {
    c = byte_at(bytes, at++);
    if (!c) return std::nullopt;
  }
  Entry entry;
  if (type != kOffsetDelta && type != kIdDelta) return entry;
  if (type == kOffsetDelta) {
    uint64_t back = 0;
    for (int i = 0;; ++i) {
      const auto c = byte_at(bytes, at++);
      if (!c || i == 9) return std::nullopt;
      back = (i == 0 ? 0 : back + 1) << 7 | (*c & 127U);
      if ((*c & 128) == 0) break;
    }
    if (back == 0 || back > offset) return std::nullopt;
    entry.base = offset - back;
  } else {
    if (at + GIT_OID_RAWSZ > bytes.size()) return std::nullopt;
    git_oid base;
    std::memcpy(base.id, bytes.data() + at, GIT_OID_RAWSZ);
    entry.base = find(base);
    if (!entry.base) return std::nullopt;
  }
  return entry;
}

const char* PackFile::objection(uint64_t offset) {
  std::vector<uint64_t> fresh;
  while (sound_.count(offset) == 0) {
    if (fresh.size() == kMaxChain) return "its deltas have no end";
    const auto entry = entry_at(offset);
    if (!entry) return "its entry in the pack is damaged";
    fresh.push_back(offset);
    if (!entry->base) break;
    offset = *entry->base;
  }
  sound_.insert(fresh.begin(), fresh.end());
  return nullptr;
}

}  // namespace knapsack

#include "git/index.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace knapsack {
namespace {

constexpr size_t kHeaderSize = 12;
constexpr size_t kChecksumSize = 20;
constexpr size_t kModeOffset = 24;
constexpr size_t kIdOffset = 40;
constexpr size_t kFlagsOffset = 60;
constexpr size_t kNameOffset = 62;
// No longer path can be opened (PATH_MAX), and as many paths as a walk visits stay below that together. Without these,
// a short file makes gigabytes: in version 4 an entry of 65 bytes repeats all of the name before it.
constexpr size_t kMaxName = 4096;
constexpr size_t kMaxNamesTogether = size_t{256} << 20U;
constexpr uint32_t kExtended = 0x4000;
constexpr uint32_t kTypeMask = 0170000, kFolder = 0040000, kSubmodule = 0160000;

uint32_t big_endian(std::string_view bytes, size_t at, size_t width) {
  uint32_t value = 0;
  for (size_t i = 0; i < width; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

std::string hex(std::string_view bytes) {
  std::string digits;
  for (const char c : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return digits;
}

// The variable-width number of version 4: how many bytes of the name before to drop.
std::optional<uint64_t> read_offset(std::string_view bytes, size_t& at) {
  uint64_t value = 0;
  for (int i = 0; i < 9 && at < bytes.size(); ++i) {
    const auto c = static_cast<unsigned char>(bytes[at++]);
    value = (i == 0 ? 0 : value + 1) << 7 | (c & 127);
    if ((c & 128) == 0) return value;
  }
  return std::nullopt;
}

}  // namespace

TrackedFiles::TrackedFiles(std::vector<std::string> files, std::vector<std::string> submodules)
    : files_(std::move(files)), submodules_(std::move(submodules)) {
  for (auto* paths : {&files_, &submodules_}) {
    if (!std::is_sorted(paths->begin(), paths->end())) std::sort(paths->begin(), paths->end());
    paths->erase(std::unique(paths->begin(), paths->end()), paths->end());
  }
}

bool TrackedFiles::contains(std::string_view path) const {
  return std::binary_search(files_.begin(), files_.end(), path, std::less<std::string_view>());
}

bool TrackedFiles::has_submodule(std::string_view path) const {
  return std::binary_search(submodules_.begin(), submodules_.end(), path, std::less<std::string_view>());
}

bool TrackedFiles::any_below(std::string_view folder) const {
  std::string prefix(folder);
  prefix += '/';
  for (const auto* paths : {&files_, &submodules_}) {
    const auto first = std::lower_bound(paths->begin(), paths->end(), prefix);
    if (first != paths->end() && first->starts_with(prefix)) return true;
  }
  return false;
}

Result<std::vector<IndexEntry>> parse_index_entries(std::string_view bytes, const std::string& path) {
  const auto damaged = [&](size_t at) {
    return Error{ErrorCode::kCorrupt, fmt::format("{} is damaged at byte {}", path, at),
                 "run `git reset` in the repository to write it again"};
  };
  if (bytes.size() < kHeaderSize + kChecksumSize || !bytes.starts_with("DIRC")) return damaged(0);
  const uint32_t version = big_endian(bytes, 4, 4);
  const uint32_t count = big_endian(bytes, 8, 4);
  if (version < 2 || version > 4) return damaged(4);
  bytes.remove_suffix(kChecksumSize);

  std::vector<IndexEntry> entries;
  std::string name;
  size_t names_together = 0;
  size_t at = kHeaderSize;
  for (uint32_t i = 0; i < count; ++i) {
    if (bytes.size() - at < kNameOffset) return damaged(at);
    const uint32_t mode = big_endian(bytes, at + kModeOffset, 4);
    const std::string_view id = bytes.substr(at + kIdOffset, kFlagsOffset - kIdOffset);
    const bool extended = version >= 3 && (big_endian(bytes, at + kFlagsOffset, 2) & kExtended) != 0;
    size_t name_at = at + kNameOffset + (extended ? 2 : 0);
    if (version == 4) {
      const auto dropped = read_offset(bytes, name_at);
      if (!dropped || *dropped > name.size()) return damaged(at);
      name.resize(name.size() - *dropped);
    } else {
      name.clear();
    }
    const size_t end = name_at <= bytes.size() ? bytes.find('\0', name_at) : std::string_view::npos;
    if (end == std::string_view::npos || end - name_at > kMaxName - std::min(name.size(), kMaxName))
      return damaged(at);
    name += bytes.substr(name_at, end - name_at);
    names_together += name.size();
    if (names_together > kMaxNamesTogether) return damaged(at);
    // Before version 4 an entry is padded with one to eight NULs to a multiple of eight.
    const size_t next = version == 4 ? end + 1 : at + ((end - at + 8) & ~size_t{7});
    if (next > bytes.size()) return damaged(at);
    at = next;
    if ((mode & kTypeMask) == kFolder) continue;  // it stands for paths that a sparse checkout left out
    entries.push_back({name, hex(id), (mode & kTypeMask) == kSubmodule});
  }
  // Of the sections that follow only this one changes what the entries mean.
  while (bytes.size() - at >= 8) {
    if (bytes.substr(at, 4) == "link") {
      return Error{ErrorCode::kConfig, fmt::format("{} is one half of a split index", path),
                   "run `git update-index --no-split-index`"};
    }
    const uint64_t size = big_endian(bytes, at + 4, 4);
    if (size > bytes.size() - at - 8) return damaged(at);
    at += 8 + size;
  }
  return entries;
}

Result<TrackedFiles> parse_git_index(std::string_view bytes, const std::string& path) {
  KNAPSACK_TRY(std::vector<IndexEntry> entries, parse_index_entries(bytes, path));
  std::vector<std::string> files, submodules;
  for (IndexEntry& entry : entries)
    (entry.is_submodule ? submodules : files).push_back(std::move(entry.path));
  return TrackedFiles(std::move(files), std::move(submodules));
}

}  // namespace knapsack

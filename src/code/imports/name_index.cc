#include "code/imports/name_index.h"

#include <xxhash.h>

#include <algorithm>

namespace knapsack::code {

uint64_t NameIndex::hash(std::string_view name) {
  return XXH3_64bits(name.data(), name.size());
}

void NameIndex::seal() {
  const auto before = [](const Entry& a, const Entry& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    if (a.name != b.name) return a.name < b.name;
    return a.file < b.file;
  };
  std::sort(entries_.begin(), entries_.end(), before);
  const auto same = [](const Entry& a, const Entry& b) {
    return a.hash == b.hash && a.file == b.file && a.name == b.name;
  };
  entries_.erase(std::unique(entries_.begin(), entries_.end(), same), entries_.end());
  files_.reserve(entries_.size());
  for (const Entry& entry : entries_) files_.push_back(entry.file);
}

std::span<const uint32_t> NameIndex::find(std::string_view name) const {
  const uint64_t wanted = hash(name);
  const auto begin = std::partition_point(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.hash != wanted ? entry.hash < wanted : entry.name < name;
  });
  const auto end = std::partition_point(
      begin, entries_.end(), [&](const Entry& entry) { return entry.hash == wanted && entry.name == name; });
  return {files_.data() + (begin - entries_.begin()), static_cast<size_t>(end - begin)};
}

}  // namespace knapsack::code

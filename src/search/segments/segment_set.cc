#include "search/segments/segment_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "core/ascii.h"

namespace knapsack::search {
namespace {

constexpr std::string_view kSuffix = ".segment";
constexpr size_t kNameDigits = 32;

}  // namespace

bool is_segment_name(std::string_view name) {
  return ascii::is_lower_hex(name, kNameDigits);
}

std::string segment_file_name(std::string_view name) {
  return std::string(name).append(kSuffix);
}

Result<std::shared_ptr<const SegmentReader>> open_segment(const FileSystem& files, const std::string& folder,
                                                          const std::string& name) {
  if (!is_segment_name(name)) {
    return Error{ErrorCode::kCorrupt, fmt::format("'{}' is not the name of a search segment", name),
                 "build the index again"};
  }
  const std::string path = join_path(folder, segment_file_name(name));
  KNAPSACK_TRY(std::shared_ptr<const FileBytes> bytes, files.map(path));
  KNAPSACK_TRY(std::shared_ptr<const SegmentReader> reader, SegmentReader::open(std::move(bytes), path));
  if (reader->name() != name) return damaged_segment(path, "it holds another segment than its name says");
  return reader;
}

OpenedSegments open_segments(const FileSystem& files, const std::string& folder,
                             const std::vector<std::string>& names) {
  OpenedSegments opened;
  for (const std::string& name : names) {
    auto segment = open_segment(files, folder, name);
    if (segment.ok()) {
      opened.segments.push_back(std::move(*segment));
    } else {
      opened.broken.push_back({name, segment.error()});
    }
  }
  return opened;
}

Result<size_t> sweep_segments(FileSystem& files, const std::string& folder,
                              const std::vector<std::string>& names) {
  KNAPSACK_TRY(const FileInfo info, files.info(folder));
  if (info.kind != FileKind::kDirectory) return not_a_folder(folder, info.kind);
  const std::unordered_set<std::string_view> kept(names.begin(), names.end());
  KNAPSACK_TRY(const std::vector<DirectoryEntry> entries, files.list(folder));
  size_t removed = 0;
  for (const DirectoryEntry& entry : entries) {
    if (entry.kind != FileKind::kRegular) continue;
    std::string_view name = entry.name;
    bool ours = is_new_file_name(name);
    if (name.ends_with(kSuffix)) {
      name.remove_suffix(kSuffix.size());
      ours = is_segment_name(name) && kept.count(name) == 0;
    }
    if (!ours) continue;
    KNAPSACK_CHECK(files.remove(join_path(folder, entry.name)));
    ++removed;
  }
  return removed;
}

}  // namespace knapsack::search

#include "code/ask/snapshot_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "code/index/snapshot_report.h"
#include "core/escape.h"
#include "search/segments/live_set.h"

namespace knapsack::code {

std::string SnapshotFiles::incomplete() const {
  const std::string unread = not_yet_read();
  const std::string unreadable = refused_by_disk();
  return unread + (unread.empty() || unreadable.empty() ? "" : "; ") + unreadable;
}

std::string SnapshotFiles::not_yet_read() const {
  const auto about = SnapshotReport::from_json(snapshot_.report_json);
  if (!about.ok() || about->unread == 0) return "";
  return fmt::format(
      "{} files are not in the index yet: there was no time to read them (`index_deadline`); run "
      "`knapsack index`",
      about->unread);
}

std::string SnapshotFiles::refused_by_disk() const {
  const auto is_unreadable = [](const FileRow& file) { return file.file_class == kUnreadableClass; };
  const auto first = std::find_if(files_.begin(), files_.end(), is_unreadable);
  if (first == files_.end()) return "";
  const auto count = std::count_if(first, files_.end(), is_unreadable);
  // A folder that cannot be opened is listed like a file.
  const std::string name = escape_control(first->name);
  if (count == 1) return fmt::format("1 file or folder could not be read: {}; check its permissions", name);
  return fmt::format("{} files or folders could not be read, the first is {}; check their permissions", count,
                     name);
}

Status SnapshotFiles::load_files(Curated& rows, SnapshotRow snapshot) {
  snapshot_ = std::move(snapshot);
  KNAPSACK_TRY(const auto members, search::LiveSet::from_bytes(snapshot_.files));
  KNAPSACK_TRY(files_,
               rows.files([&](int64_t file) { return members.contains(static_cast<uint32_t>(file)); }));
  std::sort(files_.begin(), files_.end(), [](const FileRow& a, const FileRow& b) { return a.name < b.name; });
  by_path_.reserve(files_.size());
  by_blob_.reserve(files_.size());
  for (uint32_t i = 0; i < files_.size(); ++i) {
    by_path_.emplace(files_[i].path, i);
    if (files_[i].blob != 0) by_blob_[files_[i].blob].push_back(i);
  }
  return ok_status();
}

std::optional<uint32_t> SnapshotFiles::find_file(std::string_view path) const {
  const auto found =
      std::lower_bound(files_.begin(), files_.end(), path,
                       [](const FileRow& file, std::string_view wanted) { return file.name < wanted; });
  if (found == files_.end() || found->name != path) return std::nullopt;
  return static_cast<uint32_t>(found - files_.begin());
}

std::vector<uint32_t> SnapshotFiles::find_by_suffix(std::string_view path) const {
  while (path.starts_with("./")) path.remove_prefix(2);
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < files_.size() && !path.empty(); ++i) {
    if (ends_with_components(files_[i].name, path, '/')) found.push_back(i);
  }
  return found;
}

std::span<const uint32_t> SnapshotFiles::files_of_blob(int64_t blob) const {
  const auto found = by_blob_.find(blob);
  return found == by_blob_.end() ? std::span<const uint32_t>() : found->second;
}

}  // namespace knapsack::code

// SnapshotFiles: the files of one snapshot, numbered by their position in path order. Any thread once it is loaded.
// Private to code/ask/.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "code/index/curated.h"

namespace knapsack::code {

// "src/shop/cart.py" ends with "shop/cart.py" and not with "art.py".
inline bool ends_with_components(std::string_view whole, std::string_view end, char separator) {
  return whole.ends_with(end) &&
         (whole.size() == end.size() || whole[whole.size() - end.size() - 1] == separator);
}

class SnapshotFiles {
 public:
  const SnapshotRow& snapshot() const { return snapshot_; }
  // One line for people where files of the snapshot are not in it yet or could not be read; empty where all are in it.
  std::string incomplete() const;

  // Sorted by path.
  const std::vector<FileRow>& files() const { return files_; }
  const FileRow& file(uint32_t number) const { return files_[number]; }
  std::optional<uint32_t> find_file(std::string_view path) const;
  // Files whose path ends with these components: "cart.py" and "shop/cart.py" find "src/shop/cart.py".
  std::vector<uint32_t> find_by_suffix(std::string_view path) const;
  // The files that hold a blob; usually one.
  std::span<const uint32_t> files_of_blob(int64_t blob) const;

 protected:
  SnapshotFiles() = default;
  ~SnapshotFiles() = default;
  Status load_files(Curated& rows, SnapshotRow snapshot);
  // Their numbers, by the numbers of paths.
  const std::unordered_map<int64_t, uint32_t>& by_path() const { return by_path_; }
  const std::unordered_map<int64_t, std::vector<uint32_t>>& by_blob() const { return by_blob_; }

 private:
  std::string not_yet_read() const;
  std::string refused_by_disk() const;

  SnapshotRow snapshot_;
  std::vector<FileRow> files_;
  std::unordered_map<int64_t, std::vector<uint32_t>> by_blob_;
  std::unordered_map<int64_t, uint32_t> by_path_;
};

}  // namespace knapsack::code

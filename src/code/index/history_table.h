// HistoryTable: the commits of a snapshot with the files of the snapshot that each one changed.
//
// Newest first, as the snapshot lists them. A file that moved counts under the path that it has now; files
// that are gone only count towards `changed`. Read once from the index and kept in memory. Immutable.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "code/index/curated.h"
#include "core/result.h"

namespace knapsack::code {

class HistoryTable {
 public:
  struct Entry {
    int64_t number = 0;  // in the database
    std::string id;
    bool is_merge = false;
    uint32_t changed = 0;  // how many files it changed, gone ones among them
    uint32_t begin = 0, end = 0;
  };

  // `numbers` newest first; `file_of_path` gives the file of the snapshot that has a path now.
  static Result<HistoryTable> load(Curated& rows, const std::vector<int64_t>& numbers,
                                   const std::unordered_map<int64_t, uint32_t>& file_of_path);

  const std::vector<Entry>& commits() const { return commits_; }
  // Each file once, ascending.
  std::span<const uint32_t> files(const Entry& commit) const {
    return std::span(files_).subspan(commit.begin, commit.end - commit.begin);
  }
  std::optional<uint32_t> find(std::string_view id) const;

 private:
  std::vector<Entry> commits_;
  std::vector<uint32_t> files_;
  std::unordered_map<std::string, uint32_t> by_id_;
};

}  // namespace knapsack::code

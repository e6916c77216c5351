#include "code/index/history_table.h"

#include <algorithm>

#include "git/newest_paths.h"

namespace knapsack::code {

Result<HistoryTable> HistoryTable::load(Curated& rows, const std::vector<int64_t>& numbers,
                                        const std::unordered_map<int64_t, uint32_t>& file_of_path) {
  HistoryTable table;
  table.commits_.reserve(numbers.size());
  NewestPaths<int64_t> newest;
  const auto add = [&](const ChangedCommitRow& row) {
    Entry entry{row.number,
                row.id,
                row.is_merge,
                static_cast<uint32_t>(row.changes.size()),
                static_cast<uint32_t>(table.files_.size()),
                0};
    for (const ChangeRow& change : row.changes) {
      const auto file = file_of_path.find(newest(change.path));
      if (file != file_of_path.end()) table.files_.push_back(file->second);
    }
    const auto begin = table.files_.begin() + entry.begin;
    std::sort(begin, table.files_.end());
    table.files_.erase(std::unique(begin, table.files_.end()), table.files_.end());
    entry.end = static_cast<uint32_t>(table.files_.size());
    // What a merge moved was moved by a commit of its side as well.
    if (!row.is_merge) newest.step_back(row.changes);
    table.by_id_.emplace(entry.id, static_cast<uint32_t>(table.commits_.size()));
    table.commits_.push_back(std::move(entry));
  };
  KNAPSACK_CHECK(rows.for_each_change(numbers, add));
  return table;
}

std::optional<uint32_t> HistoryTable::find(std::string_view id) const {
  const auto found = by_id_.find(std::string(id));
  return found == by_id_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace knapsack::code

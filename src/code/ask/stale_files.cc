#include "code/ask/stale_files.h"

#include <unordered_map>

#include "core/paths.h"

namespace knapsack::code {

Result<std::vector<std::string>> stale_files(const FileSystem& files, const std::string& workspace,
                                             Curated& rows, const CodeIndex& index) {
  KNAPSACK_TRY(const auto work, rows.work_files());
  std::unordered_map<int64_t, const WorkFileRow*> by_file;
  for (const WorkFileRow& row : work) by_file.emplace(row.file, &row);
  std::vector<std::string> stale;
  for (const FileRow& file : index.files()) {
    const auto known = by_file.find(file.file);
    if (known == by_file.end()) continue;
    const auto info = files.info(join_path(workspace, file.name));
    if (!info.ok() || info->size != known->second->size || info->mtime_nanos != known->second->mtime_nanos)
      stale.push_back(file.name);
  }
  return stale;
}

}  // namespace knapsack::code

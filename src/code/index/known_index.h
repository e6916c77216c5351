// KnownIndex: what the index holds already, in memory, for finding what a new snapshot shares with it.
// Private to code/index/.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "code/index/curated.h"
#include "code/walk/source_list.h"

namespace knapsack::code {

// Whether a file of the work tree looks as it did when it was read: the same size, time and number, and a
// time that is clearly older than the walk it was seen in.
bool looks_unchanged(const WorkFileRow& before, const FileInfo& now, int64_t walked_nanos);

class KnownIndex {
 public:
  static Result<KnownIndex> load(Curated& rows);

  // The row of this path with this content. Nothing when it has to be read again.
  const FileRow* find(const std::string& path, const std::string& hash) const;
  // The row of a file of the work tree that looks as it did when it was read.
  const FileRow* find_unchanged(const SourceFile& file, int64_t walked_nanos) const;
  // 0 for one that is not there.
  int64_t blob(const std::string& key) const;
  const BlobRow* blob_row(int64_t blob) const;
  void add_blob(BlobRow row);

  // These must be learnt again: their files are not found any more.
  void distrust(const std::string& key);
  void distrust_all();

  std::unordered_set<std::string> trusted_keys() const;
  const std::vector<FileRow>& files() const { return files_; }
  const std::vector<WorkFileRow>& work_files() const { return work_files_; }
  std::vector<std::string> keys() const;
  const FileRow* file(int64_t number) const;

 private:
  std::vector<FileRow> files_;
  std::vector<WorkFileRow> work_files_;
  std::unordered_map<int64_t, size_t> by_number_;
  std::unordered_map<std::string, size_t> by_content_;  // path, NUL, hash
  std::unordered_map<std::string_view, const WorkFileRow*> by_path_;
  std::unordered_map<int64_t, BlobRow> blobs_;
  std::unordered_map<std::string, int64_t> blob_by_key_;
  std::unordered_set<std::string> distrusted_;
};

}  // namespace knapsack::code

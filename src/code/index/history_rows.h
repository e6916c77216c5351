// Commits and their file changes as rows. Private to code/index/.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "code/index/curated_rows.h"
#include "store/sqlite/sqlite.h"

namespace knapsack::code {

// Inserts commits; the caller holds a transaction and numbers the paths.
class CommitWriter {
 public:
  static Result<CommitWriter> prepare(sqlite::Database& database);

  // `paths` and `old_paths` are the numbers of those of commit.files; 0 where there is none.
  // With `number`, in place of the commit that had it.
  Result<int64_t> add(const Commit& commit, const std::vector<int64_t>& paths,
                      const std::vector<int64_t>& old_paths, std::optional<int64_t> number);

 private:
  CommitWriter() = default;

  sqlite::Database* database_ = nullptr;
  sqlite::Statement commit_, change_;
};

Result<std::unordered_map<std::string, int64_t>> read_commit_numbers(sqlite::Database& database,
                                                                     bool complete);
Result<std::vector<CommitRow>> read_commits(sqlite::Database& database, const std::vector<int64_t>& numbers,
                                            bool with_files);
Status visit_changes(sqlite::Database& database, const std::vector<int64_t>& numbers,
                     const std::function<void(const ChangedCommitRow&)>& visit);

}  // namespace knapsack::code

#include "code/index/history_rows.h"

#include <string>

#include "code/index/curated_schema.h"
#include "code/index/packing.h"

namespace knapsack::code {
namespace {

constexpr int kMerge = 1, kFilesTruncated = 2, kFilesUnknown = 4, kSidesTruncated = 8;

int flags_of(const Commit& commit) {
  return (commit.is_merge ? kMerge : 0) | (commit.files_truncated ? kFilesTruncated : 0) |
         (commit.files_unknown ? kFilesUnknown : 0) | (commit.side_commits_truncated ? kSidesTruncated : 0);
}

FileChangeKind kind_of(int64_t stored) {
  return stored >= 0 && stored <= static_cast<int64_t>(FileChangeKind::kRenamed)
             ? static_cast<FileChangeKind>(stored)
             : FileChangeKind::kModified;
}

Status read_files(sqlite::Statement& row, int64_t number, std::vector<FileChange>& files) {
  row.bind(first_row(number), first_row(number + 1));
  while (true) {
    KNAPSACK_TRY(const bool more, row.step());
    if (!more) break;
    files.push_back({std::string(column_view(row.bytes(0))), std::string(column_view(row.bytes(1))),
                     kind_of(row.integer(2))});
  }
  row.reset();
  return ok_status();
}

}  // namespace

Result<CommitWriter> CommitWriter::prepare(sqlite::Database& database) {
  CommitWriter writer;
  writer.database_ = &database;
  KNAPSACK_TRY(writer.commit_, database.prepare("INSERT INTO commits VALUES (?,?,?,?,?,?,?,?,?)"));
  KNAPSACK_TRY(writer.change_, database.prepare("INSERT INTO file_commits VALUES (?,?,?,?)"));
  return writer;
}

Result<int64_t> CommitWriter::add(const Commit& commit, const std::vector<int64_t>& paths,
                                  const std::vector<int64_t>& old_paths, std::optional<int64_t> replaced) {
  const std::string parents = pack_strings(commit.parents);
  const std::string sides = pack_strings(commit.side_commits);
  KNAPSACK_CHECK(commit_
                     .bind(replaced, commit.id, commit.author_time, commit.commit_time, flags_of(commit),
                           commit.author, commit.message, column_bytes(parents), column_bytes(sides))
                     .run());
  const int64_t number = database_->last_insert_rowid();
  for (size_t i = 0; i < commit.files.size(); ++i) {
    KNAPSACK_CHECK(
        change_
            .bind(row_number(number, i), paths[i], old_paths[i], static_cast<int64_t>(commit.files[i].kind))
            .run());
  }
  return number;
}

Result<std::unordered_map<std::string, int64_t>> read_commit_numbers(sqlite::Database& database,
                                                                     bool complete) {
  KNAPSACK_TRY(auto row, database.prepare("SELECT id, \"commit\", flags FROM commits"));
  std::unordered_map<std::string, int64_t> numbers;
  while (true) {
    KNAPSACK_TRY(const bool more, row.step());
    if (!more) return numbers;
    if (!complete || (row.integer(2) & kFilesUnknown) == 0) numbers.emplace(row.string(0), row.integer(1));
  }
}

Result<std::vector<CommitRow>> read_commits(sqlite::Database& database, const std::vector<int64_t>& numbers,
                                            bool with_files) {
  KNAPSACK_TRY(auto row,
               database.prepare("SELECT id, author_time, commit_time, flags, author, message, parents,"
                                " side_commits FROM commits WHERE \"commit\" = ?"));
  KNAPSACK_TRY(
      auto changes,
      database.prepare("SELECT p.name, o.name, c.kind FROM file_commits AS c"
                       " JOIN paths AS p ON p.path = c.path LEFT JOIN paths AS o ON o.path = c.old_path"
                       " WHERE c.change >= ?1 AND c.change < ?2 ORDER BY c.change"));
  std::vector<CommitRow> rows;
  rows.reserve(numbers.size());
  for (const int64_t number : numbers) {
    row.bind(number);
    KNAPSACK_TRY(const bool found, row.step());
    if (!found) {
      return damaged_index("a commit of its history is missing");
    }
    CommitRow& read = rows.emplace_back();
    read.number = number;
    Commit& commit = read.commit;
    commit.id = row.string(0);
    commit.author_time = row.integer(1);
    commit.commit_time = row.integer(2);
    const int64_t flags = row.integer(3);
    commit.is_merge = (flags & kMerge) != 0;
    commit.files_truncated = (flags & kFilesTruncated) != 0;
    commit.files_unknown = (flags & kFilesUnknown) != 0;
    commit.side_commits_truncated = (flags & kSidesTruncated) != 0;
    commit.author = row.string(4);
    commit.message = row.string(5);
    commit.subject = commit.message.substr(0, commit.message.find('\n'));
    if (commit.subject.ends_with('\r')) commit.subject.pop_back();
    KNAPSACK_TRY(commit.parents, unpack_strings(column_view(row.bytes(6))));
    KNAPSACK_TRY(commit.side_commits, unpack_strings(column_view(row.bytes(7))));
    row.reset();
    if (with_files) KNAPSACK_CHECK(read_files(changes, number, commit.files));
  }
  return rows;
}

Status visit_changes(sqlite::Database& database, const std::vector<int64_t>& numbers,
                     const std::function<void(const ChangedCommitRow&)>& visit) {
  KNAPSACK_TRY(auto row, database.prepare("SELECT id, flags FROM commits WHERE \"commit\" = ?"));
  KNAPSACK_TRY(auto changes, database.prepare("SELECT path, old_path, kind FROM file_commits"
                                              " WHERE change >= ?1 AND change < ?2 ORDER BY change"));
  ChangedCommitRow read;
  for (const int64_t number : numbers) {
    row.bind(number);
    KNAPSACK_TRY(const bool found, row.step());
    if (!found) return damaged_index("a commit of its history is missing");
    read.number = number;
    read.id = row.string(0);
    read.is_merge = (row.integer(1) & kMerge) != 0;
    row.reset();
    read.changes.clear();
    changes.bind(first_row(number), first_row(number + 1));
    while (true) {
      KNAPSACK_TRY(const bool more, changes.step());
      if (!more) break;
      read.changes.push_back({changes.integer(0), changes.integer(1), kind_of(changes.integer(2))});
    }
    changes.reset();
    visit(read);
  }
  return ok_status();
}

}  // namespace knapsack::code

// CuratedWriter: the one process that fills the code index.
//
// It holds the index lock for as long as it lives; a second writer waits, then learns who holds it. What one
// transaction() wrote becomes visible to readers all at once. The index is derived: one that is damaged is
// removed and begun anew, and `notice` says so. One thread.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>

#include "code/index/blob_rows.h"
#include "code/index/curated.h"
#include "code/index/history_rows.h"
#include "core/clock.h"
#include "store/file_lock.h"

namespace knapsack::code {

struct CuratedWriterOptions {
  std::chrono::milliseconds wait{30'000};  // for another writer
  bool check = false;                      // read the whole database and begin anew if it is damaged
};

// The segments of the search index and what of them lives in each snapshot. All within a transaction.
class SegmentWriter {
 public:
  Result<int64_t> add_segment(const std::string& collection, const std::string& name);
  // With its live sets.
  Status remove_segment(int64_t segment);
  Status put_live_set(int64_t snapshot, const LiveSetRow& live);
  // Of all snapshots: they are found again from keys.
  Status forget_live_sets();

 protected:
  explicit SegmentWriter(sqlite::Database& database) : database_(&database) {}

 private:
  sqlite::Database* database_;
};

class CuratedWriter : public SegmentWriter {
 public:
  static Result<CuratedWriter> open(FileSystem& files, const std::string& state_folder,
                                    const CuratedWriterOptions& options);

  const std::string& notice() const { return notice_; }
  // Reads what is committed, and what the running transaction wrote.
  Curated& rows() { return curated_; }

  Status transaction(const std::function<Status()>& work);

  // All of these within a transaction.
  Status set_meta(const std::string& key, const std::string& value);
  // In place of the blob with the number `replaced`, where that is not 0.
  Result<int64_t> add_blob(const BlobFacts& facts, int64_t replaced = 0);
  Status remove_blob(int64_t blob);
  // In place of what was said of this content before.
  Status put_file_metadata(const FileMetadata& metadata);
  // Of contents that no blob has any more.
  Status remove_lost_metadata();
  // The number of the same file, where it was known already. `file` and `path` are filled in.
  Status add_file(FileRow& file);
  Status remove_file(int64_t file);
  Status set_work_file(const WorkFileRow& file);
  Status remove_work_file(int64_t path);
  // In place of the one of that name. The number of the new one.
  Result<int64_t> put_snapshot(const SnapshotRow& snapshot, const std::string& edges,
                               const std::string& co_changes);
  Status remove_snapshot(int64_t snapshot);
  // With `number`, in place of the commit that had it.
  Result<int64_t> add_commit(const Commit& commit, std::optional<int64_t> number = std::nullopt);
  // The number of a path, which stays the same for good.
  Result<int64_t> path_number(std::string_view name);
  Status remove_commit(int64_t commit);

 private:
  CuratedWriter(FileLock lock, Curated curated, std::string notice)
      : SegmentWriter(*curated.database_),
        lock_(std::move(lock)),
        curated_(std::move(curated)),
        notice_(std::move(notice)) {}
  Status prepare();
  sqlite::Database& database() { return *curated_.database_; }
  Result<sqlite::Statement*> statement(const char* sql);

  FileLock lock_;
  Curated curated_;
  std::string notice_;
  std::map<std::string, sqlite::Statement, std::less<>> statements_;
  std::optional<BlobWriter> blobs_;
  std::optional<CommitWriter> commits_;
  std::unordered_map<std::string, int64_t> paths_;  // those that were asked for
};

}  // namespace knapsack::code

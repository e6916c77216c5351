// Curated: the database of the code index, for reading. CuratedWriter (code/index/curated_writer.h) fills it.
//
// A reader sees the database as it was when it was opened, for as long as it lives, whatever is written
// meanwhile. It never creates, changes or locks anything. One reader belongs to one thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "code/index/curated_rows.h"
#include "core/files/file_system.h"
#include "store/sqlite/sqlite.h"

namespace knapsack::code {

// Where it lies in the state folder.
std::string curated_path(const std::string& state_folder);
std::string segments_folder(const std::string& state_folder);

// What was learnt from each content.
class CuratedBlobs {
 public:
  Result<std::vector<BlobRow>> blobs();
  Result<std::optional<BlobRow>> blob(int64_t number);
  // Those with a package or names by which others import them; nothing else of them is set.
  Result<std::vector<BlobRow>> declaring_blobs();
  // By hash.
  Result<std::vector<FileMetadata>> file_metadata();

  Result<std::vector<SymbolRow>> symbols(int64_t blob);
  Result<std::vector<SymbolRow>> symbols_named(std::string_view name);
  // The same with no more than it takes to tell them apart: a common name has thousands.
  Result<std::vector<DefinitionRow>> definitions_named(std::string_view name);
  // Every name that a symbol has, once, sorted; for finding one that is spelt a little differently.
  Result<std::vector<std::string>> symbol_names();
  Result<std::vector<ChunkRow>> chunks(int64_t blob);
  Result<std::vector<code::Import>> imports(int64_t blob);
  // Of all blobs, in order.
  Status for_each_import(
      const std::function<Status(int64_t blob, uint32_t position, const code::Import& import)>& visit);
  Result<std::vector<code::Comment>> comments(int64_t blob);
  Result<std::vector<code::TestCase>> tests(int64_t blob);
  // Its `names` and `references`; the rest is empty.
  Result<code::ParsedFile> references(int64_t blob);
  // With its `symbols` and `imports`; kCorrupt where references and symbols do not fit each other.
  Result<code::ParsedFile> facts(int64_t blob);

 protected:
  explicit CuratedBlobs(sqlite::Database& database) : database_(&database) {}

 private:
  sqlite::Database* database_;
};

// The commits.
class CuratedHistory {
 public:
  // With their file changes, in the order of `numbers`.
  Result<std::vector<CommitRow>> commits(const std::vector<int64_t>& numbers, bool with_files);
  // The changes of all of them, in the order of `numbers`; the row lasts for the call.
  Status for_each_change(const std::vector<int64_t>& numbers,
                         const std::function<void(const ChangedCommitRow&)>& visit);
  // All commits by id; only those whose changes are known when `complete`.
  Result<std::unordered_map<std::string, int64_t>> commit_numbers(bool complete);

 protected:
  explicit CuratedHistory(sqlite::Database& database) : database_(&database) {}

 private:
  sqlite::Database* database_;
};

class Curated : public CuratedBlobs, public CuratedHistory {
 public:
  // kNotFound when there is none yet, kCorrupt when it is damaged.
  static Result<Curated> open(const FileSystem& files, const std::string& state_folder);

  // Empty for a key that was never set.
  Result<std::string> meta(const std::string& key);
  Result<std::vector<SnapshotRow>> snapshots();
  Result<std::optional<SnapshotRow>> find_snapshot(const std::string& name);
  // Import edges and co-changes of a snapshot, as they were packed; empty where there are none.
  Result<std::string> edges(int64_t snapshot);
  Result<std::string> co_changes(int64_t snapshot);
  Result<std::vector<SegmentRow>> segments();
  Result<std::vector<LiveSetRow>> live_sets(int64_t snapshot);

  // All rows, or those for which `wanted` says true.
  Result<std::vector<FileRow>> files(const std::function<bool(int64_t file)>& wanted = {});
  Result<std::vector<WorkFileRow>> work_files();
  // With the path of each.
  Status for_each_work_file(const std::function<void(std::string_view path, const WorkFileRow& row)>& visit);

 private:
  friend class CuratedWriter;
  explicit Curated(sqlite::Database database)
      : Curated(std::make_unique<sqlite::Database>(std::move(database))) {}
  explicit Curated(std::unique_ptr<sqlite::Database> database)
      : CuratedBlobs(*database), CuratedHistory(*database), database_(std::move(database)) {}

  std::unique_ptr<sqlite::Database> database_;  // where it is must not change: a view refers to it
  std::optional<sqlite::Transaction> view_;
};

}  // namespace knapsack::code

#include "code/index/curated_writer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "code/index/curated_schema.h"
#include "code/index/packing.h"
#include "store/state_folder.h"

namespace knapsack::code {
namespace {

Result<FileLock> take_lock(const std::string& state_folder, std::chrono::milliseconds wait) {
  const std::string path = join_path(state_folder, "index.lock");
  auto lock = FileLock::acquire(path, FileLock::Mode::kExclusive, wait);
  if (lock.ok()) {
    lock->leave_note(fmt::format("process {}", ::getpid()));
    return lock;
  }
  if (lock.error().code != ErrorCode::kBusy) return lock;
  const std::string holder = FileLock::note_of(path);
  return Error{
      ErrorCode::kBusy,
      fmt::format("another `knapsack index` is at work{}", holder.empty() ? "" : " (" + holder + ")"),
      "wait for it to finish and try again"};
}

// A batch of files touches pages all over the tables; this holds those of a repository of 100,000 files.
constexpr int64_t kCacheKilobytes = 65'536;

Result<sqlite::Database> open_database(const std::string& path, bool check) {
  sqlite::OpenOptions options;
  options.mode = sqlite::OpenMode::kCreate;
  options.durability = sqlite::Durability::kNormal;
  options.when_damaged = kWhenDamaged;
  options.cache_kilobytes = kCacheKilobytes;
  KNAPSACK_TRY(auto database, sqlite::Database::open(path, options));
  KNAPSACK_TRY(const int64_t version, database.integer("PRAGMA user_version"));
  KNAPSACK_TRY(const int64_t owner, database.integer("PRAGMA application_id"));
  if (owner == curated_schema().application_id && version > 0 && version < kFirstCleanVersion) {
    return Error{ErrorCode::kCorrupt, path + " is of an older knapsack, which kept secrets of files in it",
                 ""};
  }
  KNAPSACK_CHECK(sqlite::migrate(database, curated_schema()));
  if (check) {
    KNAPSACK_TRY(auto row, database.prepare("PRAGMA quick_check(1)"));
    KNAPSACK_CHECK(row.step());
    if (row.text(0) != "ok") return Error{ErrorCode::kCorrupt, path + " is damaged: " + row.string(0), ""};
  }
  return database;
}

Status remove_database(FileSystem& files, const std::string& path) {
  for (const char* ending : {"", "-wal", "-shm", "-journal"}) {
    Status removed = files.remove(path + ending);
    if (!removed.ok() && removed.error().code != ErrorCode::kNotFound) return removed;
  }
  return ok_status();
}

}  // namespace

Result<CuratedWriter> CuratedWriter::open(FileSystem& files, const std::string& state_folder,
                                          const CuratedWriterOptions& options) {
  KNAPSACK_TRY(FileLock lock, take_lock(state_folder, options.wait));
  KNAPSACK_CHECK(ensure_own_folder(files, segments_folder(state_folder)));
  const std::string path = curated_path(state_folder);
  std::string notice;
  auto database = open_database(path, options.check);
  if (!database.ok() && database.error().code == ErrorCode::kCorrupt) {
    notice = database.error().what + "; it is derived from the repository and was rebuilt";
    KNAPSACK_CHECK(remove_database(files, path));
    database = open_database(path, false);
  }
  if (!database.ok()) return database.error();
  CuratedWriter writer(std::move(lock), Curated(*std::move(database)), std::move(notice));
  KNAPSACK_CHECK(writer.prepare());
  return writer;
}

Status CuratedWriter::prepare() {
  KNAPSACK_TRY(auto blobs, BlobWriter::prepare(database()));
  blobs_.emplace(std::move(blobs));
  KNAPSACK_TRY(auto commits, CommitWriter::prepare(database()));
  commits_.emplace(std::move(commits));
  return ok_status();
}

Status CuratedWriter::transaction(const std::function<Status()>& work) {
  KNAPSACK_TRY(sqlite::Transaction transaction, sqlite::Transaction::begin(database()));
  auto status = work();
  if (status.ok()) status = transaction.commit();
  if (!status.ok()) paths_.clear();  // some of them were rolled back
  return status;
}

Result<sqlite::Statement*> CuratedWriter::statement(const char* sql) {
  if (const auto known = statements_.find(std::string_view(sql)); known != statements_.end())
    return &known->second;
  KNAPSACK_TRY(auto prepared, database().prepare(sql));
  return &statements_.emplace(sql, std::move(prepared)).first->second;
}

Status CuratedWriter::set_meta(const std::string& key, const std::string& value) {
  KNAPSACK_TRY(auto* row, statement("INSERT OR REPLACE INTO meta VALUES (?,?)"));
  return row->bind(key, value).run();
}

Result<int64_t> CuratedWriter::add_blob(const BlobFacts& facts, int64_t replaced) {
  if (replaced != 0) KNAPSACK_CHECK(remove_blob(replaced));
  return blobs_->add(facts, replaced);
}

Status CuratedWriter::remove_blob(int64_t blob) {
  return blobs_->remove(blob);
}

Status CuratedWriter::put_file_metadata(const FileMetadata& metadata) {
  const std::string concepts = pack_strings(metadata.concepts);
  const std::string public_api = pack_strings(metadata.public_api);
  KNAPSACK_TRY(auto* row, statement("INSERT OR REPLACE INTO file_metadata VALUES (?,?,?,?,?,?,?,?,?)"));
  return row
      ->bind(column_bytes(metadata.hash), metadata.model, metadata.at_micros, metadata.purpose,
             metadata.module, metadata.domain, column_bytes(concepts), column_bytes(public_api),
             metadata.complexity_notes)
      .run();
}

Status CuratedWriter::remove_lost_metadata() {
  return database().execute("DELETE FROM file_metadata WHERE hash NOT IN (SELECT hash FROM blobs)");
}

Result<int64_t> CuratedWriter::path_number(std::string_view name) {
  std::string key(name);
  if (const auto known = paths_.find(key); known != paths_.end()) return known->second;
  KNAPSACK_TRY(auto* find, statement("SELECT path FROM paths WHERE name = ?"));
  find->bind(column_bytes(name));
  KNAPSACK_TRY(const bool found, find->step());
  int64_t number = found ? find->integer(0) : 0;
  find->reset();
  if (!found) {
    KNAPSACK_TRY(auto* add, statement("INSERT INTO paths VALUES (NULL,?)"));
    KNAPSACK_CHECK(add->bind(column_bytes(name)).run());
    number = database().last_insert_rowid();
  }
  paths_.emplace(std::move(key), number);
  return number;
}

Status CuratedWriter::add_file(FileRow& file) {
  KNAPSACK_TRY(file.path, path_number(file.name));
  const auto size = static_cast<int64_t>(file.size);
  KNAPSACK_TRY(auto* find,
               statement("SELECT file, blob FROM files WHERE path = ? AND hash = ? AND size = ? AND"
                         " class = ?"));
  find->bind(file.path, column_bytes(file.hash), size, file.file_class);
  KNAPSACK_TRY(const bool found, find->step());
  if (found) file.file = find->integer(0);
  const bool same = found && find->integer(1) == file.blob;
  find->reset();
  if (same) return ok_status();
  if (found) {
    KNAPSACK_TRY(auto* update, statement("UPDATE files SET blob = ?, language = ? WHERE file = ?"));
    return update->bind(file.blob, file.language, file.file).run();
  }
  KNAPSACK_TRY(auto* add, statement("INSERT INTO files VALUES (NULL,?,?,?,?,?,?)"));
  KNAPSACK_CHECK(
      add->bind(file.path, column_bytes(file.hash), size, file.file_class, file.language, file.blob).run());
  file.file = database().last_insert_rowid();
  return ok_status();
}

Status CuratedWriter::remove_file(int64_t file) {
  KNAPSACK_TRY(auto* row, statement("DELETE FROM files WHERE file = ?"));
  return row->bind(file).run();
}

Status CuratedWriter::set_work_file(const WorkFileRow& file) {
  KNAPSACK_TRY(auto* row, statement("INSERT OR REPLACE INTO work_files VALUES (?,?,?,?,?)"));
  return row
      ->bind(file.path, file.file, static_cast<int64_t>(file.size), file.mtime_nanos,
             static_cast<int64_t>(file.inode))
      .run();
}

Status CuratedWriter::remove_work_file(int64_t path) {
  KNAPSACK_TRY(auto* row, statement("DELETE FROM work_files WHERE path = ?"));
  return row->bind(path).run();
}

Result<int64_t> CuratedWriter::put_snapshot(const SnapshotRow& snapshot, const std::string& edges,
                                            const std::string& co_changes) {
  KNAPSACK_TRY(const auto before, curated_.find_snapshot(snapshot.name));
  if (before) KNAPSACK_CHECK(remove_snapshot(before->snapshot));
  KNAPSACK_TRY(auto* row, statement("INSERT INTO snapshots VALUES (NULL,?,?,?,?,?,?,?,?,?)"));
  KNAPSACK_CHECK(row->bind(snapshot.name, snapshot.commit_id, snapshot.taken_micros, snapshot.walked_nanos,
                           static_cast<int64_t>(snapshot.history_limit), snapshot.fingerprint,
                           column_bytes(snapshot.files), column_bytes(snapshot.commits), snapshot.report_json)
                     .run());
  const int64_t number = database().last_insert_rowid();
  KNAPSACK_TRY(auto* edge_row, statement("INSERT INTO edges VALUES (?,?)"));
  KNAPSACK_CHECK(edge_row->bind(number, column_bytes(edges)).run());
  KNAPSACK_TRY(auto* co_change_row, statement("INSERT INTO co_changes VALUES (?,?)"));
  KNAPSACK_CHECK(co_change_row->bind(number, column_bytes(co_changes)).run());
  return number;
}

Status CuratedWriter::remove_snapshot(int64_t snapshot) {
  for (const char* sql :
       {"DELETE FROM live_sets WHERE snapshot = ?", "DELETE FROM co_changes WHERE snapshot = ?",
        "DELETE FROM edges WHERE snapshot = ?", "DELETE FROM snapshots WHERE snapshot = ?"}) {
    KNAPSACK_TRY(auto* row, statement(sql));
    KNAPSACK_CHECK(row->bind(snapshot).run());
  }
  return ok_status();
}

Result<int64_t> SegmentWriter::add_segment(const std::string& collection, const std::string& name) {
  KNAPSACK_TRY(auto row, database_->prepare("INSERT INTO segments VALUES (NULL,?,?)"));
  KNAPSACK_CHECK(row.bind(collection, name).run());
  return database_->last_insert_rowid();
}

Status SegmentWriter::remove_segment(int64_t segment) {
  KNAPSACK_TRY(auto live, database_->prepare("DELETE FROM live_sets WHERE segment = ?"));
  KNAPSACK_CHECK(live.bind(segment).run());
  KNAPSACK_TRY(auto row, database_->prepare("DELETE FROM segments WHERE segment = ?"));
  return row.bind(segment).run();
}

Status SegmentWriter::put_live_set(int64_t snapshot, const LiveSetRow& live) {
  KNAPSACK_TRY(auto row, database_->prepare("INSERT OR REPLACE INTO live_sets VALUES (?,?,?)"));
  return row.bind(snapshot, live.segment, column_bytes(live.packed)).run();
}

Status SegmentWriter::forget_live_sets() {
  return database_->execute("DELETE FROM live_sets");
}

Result<int64_t> CuratedWriter::add_commit(const Commit& commit, std::optional<int64_t> number) {
  if (number) KNAPSACK_CHECK(remove_commit(*number));
  std::vector<int64_t> paths, old_paths;
  for (const FileChange& change : commit.files) {
    KNAPSACK_TRY(const int64_t path, path_number(change.path));
    paths.push_back(path);
    int64_t old_path = 0;
    if (!change.old_path.empty()) {
      KNAPSACK_TRY(old_path, path_number(change.old_path));
    }
    old_paths.push_back(old_path);
  }
  return commits_->add(commit, paths, old_paths, number);
}

Status CuratedWriter::remove_commit(int64_t commit) {
  KNAPSACK_TRY(auto* changes, statement("DELETE FROM file_commits WHERE change >= ?1 AND change < ?2"));
  KNAPSACK_CHECK(changes->bind(first_row(commit), first_row(commit + 1)).run());
  KNAPSACK_TRY(auto* row, statement("DELETE FROM commits WHERE \"commit\" = ?"));
  return row->bind(commit).run();
}

}  // namespace knapsack::code

#include "code/index/curated.h"

#include <fmt/format.h>

#include "code/index/blob_rows.h"
#include "code/index/curated_schema.h"
#include "code/index/history_rows.h"
#include "code/index/packing.h"

namespace knapsack::code {
namespace {

using sqlite::Statement;

// From path, file, size, mtime, inode.
WorkFileRow work_file_at(const Statement& row) {
  return {row.integer(0), row.integer(1), static_cast<uint64_t>(row.integer(2)), row.integer(3),
          static_cast<uint64_t>(row.integer(4))};
}

constexpr const char* kSnapshotColumns =
    "SELECT snapshot, name, commit_id, taken, walked, history_limit, fingerprint, files, commits, report_json"
    " FROM snapshots";

SnapshotRow snapshot_at(const Statement& row) {
  SnapshotRow found;
  found.snapshot = row.integer(0);
  found.name = row.string(1);
  found.commit_id = row.string(2);
  found.taken_micros = row.integer(3);
  found.walked_nanos = row.integer(4);
  found.history_limit = static_cast<uint32_t>(row.integer(5));
  found.fingerprint = row.string(6);
  found.files = column_view(row.bytes(7));
  found.commits = column_view(row.bytes(8));
  found.report_json = row.string(9);
  return found;
}

Result<std::string> packed_of(sqlite::Database& database, const char* sql, int64_t key) {
  KNAPSACK_TRY(auto row, database.prepare(sql));
  row.bind(key);
  KNAPSACK_TRY(const bool found, row.step());
  return found ? std::string(column_view(row.bytes(0))) : std::string();
}

Result<sqlite::Database> open_database(const FileSystem& files, const std::string& path) {
  sqlite::OpenOptions options;
  options.mode = sqlite::OpenMode::kReadOnly;
  options.when_damaged = kWhenDamaged;
  auto opened = sqlite::Database::open(path, options);
  if (opened.ok() || opened.error().code == ErrorCode::kCorrupt) return opened;
  // On a disk that nobody can write to, there is no shared memory to agree in, and nobody to agree with.
  const auto log = files.info(path + "-wal");
  if (log.ok() && log->size > 0) return opened;
  options.immutable = true;
  auto unshared = sqlite::Database::open(path, options);
  return unshared.ok() ? std::move(unshared) : std::move(opened);
}

}  // namespace

std::string curated_path(const std::string& state_folder) {
  return join_path(state_folder, "curated.db");
}

std::string segments_folder(const std::string& state_folder) {
  return join_path(state_folder, "segments");
}

Result<Curated> Curated::open(const FileSystem& files, const std::string& state_folder) {
  const std::string path = curated_path(state_folder);
  const auto info = files.info(path);
  if (!info.ok() && info.error().code == ErrorCode::kNotFound) {
    return Error{ErrorCode::kNotFound, "there is no code index yet", "run `knapsack index`"};
  }
  KNAPSACK_TRY(auto database, open_database(files, path));
  KNAPSACK_TRY(const int64_t version, database.integer("PRAGMA user_version"));
  if (version == 0) {
    return Error{ErrorCode::kNotFound, "the code index was not finished", "run `knapsack index`"};
  }
  if (version < static_cast<int64_t>(curated_schema().versions.size())) {
    return Error{ErrorCode::kNotFound, "the code index is of an older version, or was not finished",
                 "run `knapsack index`"};
  }
  if (version != static_cast<int64_t>(curated_schema().versions.size())) {
    return Error{ErrorCode::kIo, fmt::format("{} was written by another version of knapsack", path),
                 "run `knapsack index` with this one"};
  }
  Curated reader(std::move(database));
  KNAPSACK_TRY(auto view, sqlite::Transaction::begin_read(*reader.database_));
  reader.view_.emplace(std::move(view));
  KNAPSACK_CHECK(
      sqlite::check_schema(*reader.database_, curated_schema()));  // the view begins with the first read
  return reader;
}

Result<std::string> Curated::meta(const std::string& key) {
  KNAPSACK_TRY(auto row, database_->prepare("SELECT value FROM meta WHERE key = ?"));
  row.bind(key);
  KNAPSACK_TRY(const bool found, row.step());
  return found ? row.string(0) : std::string();
}

Result<std::vector<SnapshotRow>> Curated::snapshots() {
  KNAPSACK_TRY(auto row, database_->prepare(std::string(kSnapshotColumns) + " ORDER BY snapshot"));
  std::vector<SnapshotRow> rows;
  while (true) {
    KNAPSACK_TRY(const bool more, row.step());
    if (!more) return rows;
    rows.push_back(snapshot_at(row));
  }
}

Result<std::optional<SnapshotRow>> Curated::find_snapshot(const std::string& name) {
  KNAPSACK_TRY(auto row, database_->prepare(std::string(kSnapshotColumns) + " WHERE name = ?"));
  row.bind(name);
  KNAPSACK_TRY(const bool found, row.step());
  return found ? std::optional(snapshot_at(row)) : std::nullopt;
}

Result<std::string> Curated::edges(int64_t snapshot) {
  return packed_of(*database_, "SELECT packed FROM edges WHERE snapshot = ?", snapshot);
}

Result<std::string> Curated::co_changes(int64_t snapshot) {
  return packed_of(*database_, "SELECT packed FROM co_changes WHERE snapshot = ?", snapshot);
}

Result<std::vector<SegmentRow>> Curated::segments() {
  KNAPSACK_TRY(auto row,
               database_->prepare("SELECT segment, collection, name FROM segments ORDER BY segment"));
  std::vector<SegmentRow> rows;
  while (true) {
    KNAPSACK_TRY(const bool more, row.step());
    if (!more) return rows;
    rows.push_back({row.integer(0), row.string(1), row.string(2)});
  }
}

Result<std::vector<LiveSetRow>> Curated::live_sets(int64_t snapshot) {
  KNAPSACK_TRY(auto row, database_->prepare("SELECT segment, packed FROM live_sets WHERE snapshot = ?"));
  row.bind(snapshot);
  std::vector<LiveSetRow> rows;
  while (true) {
    KNAPSACK_TRY(const bool more, row.step());
    if (!more) return rows;
    rows.push_back({row.integer(0), std::string(column_view(row.bytes(1)))});
  }
}

Result<std::vector<FileRow>> Curated::files(const std::function<bool(int64_t file)>& wanted) {
  KNAPSACK_TRY(auto row,
               database_->prepare("SELECT f.file, f.path, p.name, f.hash, f.size, f.class, f.language,"
                                  " f.blob FROM files AS f JOIN paths AS p ON p.path = f.path"));
  std::vector<FileRow> rows;
  while (true) {
    KNAPSACK_TRY(const bool more, row.step());
    if (!more) return rows;
    if (wanted && !wanted(row.integer(0))) continue;
    FileRow& file = rows.emplace_back();
    file.file = row.integer(0);
    file.path = row.integer(1);
    file.name = column_view(row.bytes(2));
    file.hash = column_view(row.bytes(3));
    file.size = static_cast<uint64_t>(row.integer(4));
    file.file_class = row.string(5);
    file.language = row.string(6);
    file.blob = row.integer(7);
  }
}

Result<std::vector<WorkFileRow>> Curated::work_files() {
  KNAPSACK_TRY(auto row, database_->prepare("SELECT path, file, size, mtime, inode FROM work_files"));
  std::vector<WorkFileRow> rows;
  while (true) {
    KNAPSACK_TRY(const bool more, row.step());
    if (!more) return rows;
    rows.push_back(work_file_at(row));
  }
}

Status Curated::for_each_work_file(
    const std::function<void(std::string_view path, const WorkFileRow& row)>& visit) {
  KNAPSACK_TRY(auto row, database_->prepare("SELECT w.path, w.file, w.size, w.mtime, w.inode, p.name"
                                            " FROM work_files AS w JOIN paths AS p ON p.path = w.path"));
  while (true) {
    KNAPSACK_TRY(const bool more, row.step());
    if (!more) return ok_status();
    visit(column_view(row.bytes(5)), work_file_at(row));
  }
}

Result<std::vector<BlobRow>> CuratedBlobs::blobs() {
  return read_blobs(*database_);
}
Result<std::optional<BlobRow>> CuratedBlobs::blob(int64_t number) {
  return read_blob(*database_, number);
}
Result<std::vector<BlobRow>> CuratedBlobs::declaring_blobs() {
  return read_declaring_blobs(*database_);
}
Result<std::vector<FileMetadata>> CuratedBlobs::file_metadata() {
  KNAPSACK_TRY(auto row,
               database_->prepare("SELECT hash, model, at, purpose, module, domain, concepts, public_api,"
                                  " complexity_notes FROM file_metadata ORDER BY hash"));
  std::vector<FileMetadata> rows;
  while (true) {
    KNAPSACK_TRY(const bool more, row.step());
    if (!more) return rows;
    FileMetadata& found = rows.emplace_back();
    found.hash = column_view(row.bytes(0));
    found.model = row.string(1);
    found.at_micros = row.integer(2);
    found.purpose = row.string(3);
    found.module = row.string(4);
    found.domain = row.string(5);
    KNAPSACK_TRY(found.concepts, unpack_strings(column_view(row.bytes(6))));
    KNAPSACK_TRY(found.public_api, unpack_strings(column_view(row.bytes(7))));
    found.complexity_notes = row.string(8);
  }
}
Result<std::vector<SymbolRow>> CuratedBlobs::symbols(int64_t blob) {
  return read_symbols(*database_, blob);
}
Result<std::vector<SymbolRow>> CuratedBlobs::symbols_named(std::string_view name) {
  return read_symbols_named(*database_, name);
}
Result<std::vector<DefinitionRow>> CuratedBlobs::definitions_named(std::string_view name) {
  return read_definitions_named(*database_, name);
}
Result<std::vector<ChunkRow>> CuratedBlobs::chunks(int64_t blob) {
  return read_chunks(*database_, blob);
}
Result<std::vector<code::Import>> CuratedBlobs::imports(int64_t blob) {
  return read_imports(*database_, blob);
}
Status CuratedBlobs::for_each_import(
    const std::function<Status(int64_t blob, uint32_t position, const code::Import& import)>& visit) {
  return visit_imports(*database_, visit);
}
Result<std::vector<code::Comment>> CuratedBlobs::comments(int64_t blob) {
  return read_comments(*database_, blob);
}
Result<std::vector<code::TestCase>> CuratedBlobs::tests(int64_t blob) {
  return read_tests(*database_, blob);
}

Result<std::vector<std::string>> CuratedBlobs::symbol_names() {
  KNAPSACK_TRY(auto row, database_->prepare("SELECT DISTINCT name FROM symbols ORDER BY name"));
  std::vector<std::string> names;
  while (true) {
    KNAPSACK_TRY(const bool more, row.step());
    if (!more) return names;
    names.push_back(row.string(0));
  }
}

Result<code::ParsedFile> CuratedBlobs::references(int64_t blob) {
  code::ParsedFile file;
  KNAPSACK_CHECK(read_references(*database_, blob, file));
  return file;
}

Result<code::ParsedFile> CuratedBlobs::facts(int64_t blob) {
  code::ParsedFile file;
  KNAPSACK_CHECK(read_facts(*database_, blob, file));
  return file;
}

Result<std::vector<CommitRow>> CuratedHistory::commits(const std::vector<int64_t>& numbers, bool with_files) {
  return read_commits(*database_, numbers, with_files);
}

Status CuratedHistory::for_each_change(const std::vector<int64_t>& numbers,
                                       const std::function<void(const ChangedCommitRow&)>& visit) {
  return visit_changes(*database_, numbers, visit);
}

Result<std::unordered_map<std::string, int64_t>> CuratedHistory::commit_numbers(bool complete) {
  return read_commit_numbers(*database_, complete);
}

}  // namespace knapsack::code

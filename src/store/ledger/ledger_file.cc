#include "store/ledger/ledger_file.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "store/ledger/ledger_schema.h"
#include "store/sqlite/damaged.h"
#include "store/sqlite/migrations.h"

namespace knapsack {
namespace {

// Nothing where there is nothing, and an error only for what could not be looked at.
Result<std::optional<FileInfo>> look(const FileSystem& files, const std::string& path) {
  auto info = files.info(path);
  if (info.ok()) return std::optional(*info);
  if (info.error().code == ErrorCode::kNotFound) return std::optional<FileInfo>();
  return info.error();
}

}  // namespace

LedgerFile::LedgerFile(std::string path, FileSystem& files, const Clock& clock, LedgerFileOptions options)
    : path_(std::move(path)), files_(files), clock_(clock), options_(std::move(options)) {}

Result<bool> LedgerFile::exists() const {
  KNAPSACK_TRY(const auto database, look(files_, path_));
  KNAPSACK_TRY(const auto log, look(files_, path_ + "-wal"));
  return database || log;
}

Result<FileLock> LedgerFile::lock(FileLock::Mode mode) const {
  auto taken = FileLock::acquire(options_.lock_path.empty() ? path_ + ".lock" : options_.lock_path, mode,
                                 options_.busy_timeout);
  if (taken.ok() || taken.error().code != ErrorCode::kBusy) return taken;
  return Error{ErrorCode::kBusy,
               fmt::format("{} is {}", path_,
                           mode == FileLock::Mode::kShared ? "being replaced by another process"
                                                           : "in use by another process"),
               "wait for it to finish and try again"};
}

Status LedgerFile::check_kind_and_log(uint64_t& inode) const {
  // The log is looked at first: whoever creates a ledger right now writes the database before the log, so a
  // log that is seen with content and then an empty database do belong to a file that lost its beginning.
  // SQLite itself would throw such a log away.
  KNAPSACK_TRY(const auto log, look(files_, path_ + "-wal"));
  KNAPSACK_TRY(const auto database, look(files_, path_));
  if (database) inode = database->inode;
  if (database && database->kind != FileKind::kRegular) {
    return Error{ErrorCode::kIo, fmt::format("{} is {}, not a ledger", path_, describe(database->kind)),
                 "move it away or remove it"};
  }
  if ((!database || database->size == 0) && log && log->size > 0) {
    return Error{ErrorCode::kCorrupt, fmt::format("{} is damaged: only its log {}-wal is left", path_, path_),
                 ""};
  }
  return ok_status();
}

Result<sqlite::Database> LedgerFile::open_database(const sqlite::OpenOptions& options, uint64_t& inode) {
  KNAPSACK_CHECK(check_kind_and_log(inode));
  KNAPSACK_TRY(sqlite::Database database, sqlite::Database::open(path_, options));
  KNAPSACK_CHECK(sqlite::migrate(database, ledger_schema()));
  KNAPSACK_TRY(const auto info, look(files_, path_));
  if (info) inode = info->inode;
  return database;
}

Result<LedgerFile::Opened> LedgerFile::open(sqlite::OpenMode mode) {
  sqlite::OpenOptions options;
  options.mode = mode;
  options.durability = sqlite::Durability::kFull;
  options.busy_timeout = options_.busy_timeout;
  options.checkpoint_on_close = false;
  options.vfs = options_.vfs;
  uint64_t inode = 0;
  std::optional<Error> damage;
  {
    KNAPSACK_TRY(FileLock shared, lock(FileLock::Mode::kShared));
    auto database = open_database(options, inode);
    if (database.ok()) return Opened{std::move(shared), *std::move(database), inode};
    if (database.error().code != ErrorCode::kCorrupt) return database.error();
    damage = database.error();
  }
  return move_aside(inode, *damage);
}

void LedgerFile::keep_log_short(sqlite::Database& database) const {
  const auto log = look(files_, path_ + "-wal");
  if (log.ok() && *log && (*log)->size > options_.longest_log) database.try_checkpoint();
}

Error LedgerFile::put_aside(Opened opened, const Error& damage) {
  const uint64_t inode = opened.inode;
  { const Opened closed = std::move(opened); }
  return move_aside(inode, damage);
}

Error LedgerFile::move_aside(uint64_t inode, const Error& damage) {
  const auto exclusive = lock(FileLock::Mode::kExclusive);
  if (!exclusive.ok()) {
    return {ErrorCode::kCorrupt, damage.what,
            "close the other processes that use it and run again: it is then moved aside"};
  }
  // Another process may have met the same damage, moved the file and begun a new one.
  uint64_t there_now = 0;
  const Status checked = check_kind_and_log(there_now);
  const bool orphaned_log = inode == 0 && !checked.ok() && checked.error().code == ErrorCode::kCorrupt;
  if (!orphaned_log && (inode == 0 || there_now != inode)) {
    return {ErrorCode::kCorrupt, damage.what + "; it has been moved aside meanwhile",
            "the next run starts a new ledger"};
  }
  return move_aside_locked(damage);
}

Error LedgerFile::move_aside_locked(const Error& damage) {
  const auto moved = set_aside(files_, path_, clock_.now());
  if (!moved.ok()) {
    return {ErrorCode::kCorrupt,
            fmt::format("{}; it could not be moved aside: {}", damage.what, moved.error().what),
            "move it away yourself and run again"};
  }
  return {ErrorCode::kCorrupt, fmt::format("{}; it was moved to {}", damage.what, *moved),
          "the next run starts a new ledger"};
}

}  // namespace knapsack

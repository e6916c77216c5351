#include <fmt/format.h>

#include <array>
#include <utility>

#include "store/ledger/ledger_file.h"
#include "store/ledger/ledger_schema.h"
#include "store/sqlite/migrations.h"

namespace knapsack {
namespace {

using sqlite::Database;
using sqlite::Statement;
using sqlite::Transaction;

// Sequences are copied first, so that the numbers of removed rows are never given again. Parents come before
// the rows that refer to them.
constexpr std::array<const char*, 9> kCopies = {
    "INSERT INTO kept.sqlite_sequence SELECT name, seq FROM main.sqlite_sequence",
    "INSERT INTO kept.runs SELECT * FROM main.runs WHERE started >= ?1"
    " OR sequence IN (SELECT run FROM main.deliveries WHERE at >= ?1) ORDER BY sequence",
    "INSERT INTO kept.decisions SELECT * FROM main.decisions WHERE run IN (SELECT sequence FROM kept.runs)"
    " ORDER BY run, position",
    "INSERT INTO kept.model_calls SELECT * FROM main.model_calls"
    " WHERE run IN (SELECT sequence FROM kept.runs) ORDER BY sequence",
    "INSERT INTO kept.outputs SELECT * FROM main.outputs WHERE run IN (SELECT sequence FROM kept.runs)"
    " ORDER BY run",
    "INSERT INTO kept.deliveries SELECT * FROM main.deliveries"
    " WHERE run IN (SELECT sequence FROM kept.runs) ORDER BY sequence",
    "INSERT INTO kept.outcomes SELECT * FROM main.outcomes"
    " WHERE run IN (SELECT sequence FROM kept.runs) ORDER BY sequence",
    "INSERT INTO kept.index_runs SELECT * FROM main.index_runs WHERE started >= ?1 ORDER BY sequence",
    "INSERT INTO kept.enrichments SELECT * FROM main.enrichments WHERE at >= ?1"
    " OR sequence IN (SELECT max(sequence) FROM main.enrichments GROUP BY blob, model) ORDER BY sequence",
};

// The only place where rows leave the ledger: they are not copied.
Status copy_rows(Database& database, Timestamp before) {
  KNAPSACK_TRY(Transaction transaction, Transaction::begin(database));
  for (const char* sql : kCopies) {
    KNAPSACK_TRY(Statement copy, database.prepare(sql));
    if (std::string_view(sql).find("?1") != std::string_view::npos) copy.bind(before.micros);
    KNAPSACK_CHECK(copy.run());
  }
  return transaction.commit();
}

Status require_sound(Database& database, const std::string& target) {
  KNAPSACK_TRY(Statement check, database.prepare("PRAGMA kept.quick_check(1)"));
  KNAPSACK_TRY(const bool row, check.step());
  if (row && check.text(0) == "ok") return ok_status();
  return Error{ErrorCode::kIo, fmt::format("the pruned copy {} is incomplete", target),
               "the ledger was not changed; check the disk"};
}

}  // namespace

Status LedgerFile::remove_if_there(const std::string& path) {
  auto removed = files_.remove(path);
  if (removed.ok() || removed.error().code == ErrorCode::kNotFound) return ok_status();
  return removed;
}

Status LedgerFile::remove_copy(const std::string& target) {
  for (const char* ending : {"", "-journal", "-wal", "-shm"}) {
    KNAPSACK_CHECK(remove_if_there(target + ending));
  }
  return ok_status();
}

Result<PruneReport> LedgerFile::copy_kept(const std::string& target, Timestamp before) {
  KNAPSACK_CHECK(remove_copy(target));  // what an interrupted prune left
  sqlite::OpenOptions options;
  options.busy_timeout = options_.busy_timeout;
  options.vfs = options_.vfs;
  options.mode = sqlite::OpenMode::kReadWrite;
  options.exclusive = true;  // programs other than ours do not take our lock
  uint64_t inode = 0;
  KNAPSACK_TRY(Database source, open_database(options, inode));
  KNAPSACK_CHECK(source.checkpoint());
  {
    sqlite::OpenOptions creating = options;
    creating.mode = sqlite::OpenMode::kCreate;
    creating.journal = sqlite::Journal::kMemory;
    KNAPSACK_TRY(Database kept, Database::open(target, creating));
    KNAPSACK_CHECK(sqlite::migrate(kept, ledger_schema()));
  }
  KNAPSACK_TRY(Statement attach, source.prepare("ATTACH ? AS kept"));
  KNAPSACK_CHECK(attach.bind(target).run());
  KNAPSACK_CHECK(source.execute("PRAGMA kept.journal_mode=MEMORY; PRAGMA kept.synchronous=FULL"));
  KNAPSACK_CHECK(copy_rows(source, before));
  KNAPSACK_CHECK(require_sound(source, target));
  PruneReport report;
  KNAPSACK_TRY(const int64_t runs, source.integer("SELECT count(*) FROM main.runs"));
  KNAPSACK_TRY(report.runs_kept, source.integer("SELECT count(*) FROM kept.runs"));
  report.runs_removed = runs - report.runs_kept;
  return report;
}

Result<PruneReport> LedgerFile::prune(Timestamp before) {
  KNAPSACK_TRY(const bool there, exists());
  if (!there) return PruneReport{};
  KNAPSACK_TRY(const FileLock exclusive, lock(FileLock::Mode::kExclusive));
  const std::string unfinished = path_ + ".pruning", finished = path_ + ".pruned";
  const auto old_file = files_.info(path_), old_log = files_.info(path_ + "-wal");
  auto copied = copy_kept(unfinished, before);
  if (!copied.ok()) {
    (void)remove_copy(unfinished);  // the disk may be full; the error that counts is the first one
    return copied.error().code == ErrorCode::kCorrupt ? move_aside_locked(copied.error()) : copied.error();
  }
  PruneReport report = *copied;
  // Closing the old ledger folded its log into it and removed the log. Had it stayed, SQLite would take it
  // for the log of the new file.
  if (files_.info(path_ + "-wal").ok()) {
    return Error{ErrorCode::kBusy, fmt::format("{} was opened by another program", path_),
                 "close it and try again"};
  }
  KNAPSACK_CHECK(remove_if_there(path_ + "-shm"));
  // Two renames, each of which syncs the folder. The first makes it durable that the log is gone, before the
  // second puts the new file in the place of the old one: after power loss the old log must not come back
  // beside the new file.
  KNAPSACK_CHECK(files_.rename(unfinished, finished));
  KNAPSACK_CHECK(files_.rename(finished, path_));
  KNAPSACK_TRY(const FileInfo new_file, files_.info(path_));
  report.bytes_before =
      static_cast<int64_t>((old_file.ok() ? old_file->size : 0) + (old_log.ok() ? old_log->size : 0));
  report.bytes_after = static_cast<int64_t>(new_file.size);
  return report;
}

}  // namespace knapsack

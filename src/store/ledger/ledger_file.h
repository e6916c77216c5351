// raw.db as a file: opening it, replacing it by a smaller one, moving a damaged one aside. Private to
// store/ledger/.
//
// Every open ledger holds raw.db.lock shared; whatever replaces or moves the file holds it exclusively. So no
// row is ever acknowledged into a file that is on its way out. No thread rule of its own: the ledger takes
// turns.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "core/clock.h"
#include "core/files/file_system.h"
#include "core/result.h"
#include "store/file_lock.h"
#include "store/ledger/ledger.h"
#include "store/sqlite/sqlite.h"

namespace knapsack {

struct LedgerFileOptions {
  std::chrono::milliseconds busy_timeout{5000};
  std::string vfs;        // for tests, as in sqlite::OpenOptions
  std::string lock_path;  // where it is not "<path>.lock": tests on an invented disk
  // A longer log is folded into the database after an append. Each process that opens the ledger reads the
  // whole log once: at this length in well under a millisecond.
  uint64_t longest_log = uint64_t{1} << 20;
};

class LedgerFile {
 public:
  // The database goes before its lock when this is destroyed.
  struct Opened {
    FileLock lock;
    sqlite::Database database;
    uint64_t inode = 0;  // tells whether the path still names this file
  };

  LedgerFile(std::string path, FileSystem& files, const Clock& clock, LedgerFileOptions options);

  // Whether there is anything to open, a damaged or unfinished ledger included.
  Result<bool> exists() const;
  // Locked, checked and of the newest version. A damaged file has been moved aside when kCorrupt is returned.
  Result<Opened> open(sqlite::OpenMode mode);
  // Closes a ledger that turned out to be damaged while it was used and moves it aside; says so.
  Error put_aside(Opened opened, const Error& damage);
  // Keeps the log short; call after an append. SQLite's own checkpoint after so many pages is no help to
  // programs that append once and end: it leaves the log as long as it is, and the next process, which cannot
  // know how much of it was folded in, folds all of it in again.
  void keep_log_short(sqlite::Database& database) const;
  // See Ledger::prune. The caller has closed its own connection.
  Result<PruneReport> prune(Timestamp before);

 private:
  Result<FileLock> lock(FileLock::Mode mode) const;
  // The database without the lock; `inode` is set as soon as it is known.
  Result<sqlite::Database> open_database(const sqlite::OpenOptions& options, uint64_t& inode);
  Status check_kind_and_log(uint64_t& inode) const;
  // `inode` of the damaged file; 0 where there is none but only a log that lost its database.
  Error move_aside(uint64_t inode, const Error& damage);
  Error move_aside_locked(const Error& damage);
  // Copies what stays into `target`, a file of its own, complete and synced when this returns.
  Result<PruneReport> copy_kept(const std::string& target, Timestamp before);
  Status remove_copy(const std::string& target);
  Status remove_if_there(const std::string& path);

  const std::string path_;
  FileSystem& files_;
  const Clock& clock_;
  const LedgerFileOptions options_;
};

}  // namespace knapsack

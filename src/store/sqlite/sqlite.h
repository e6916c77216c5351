// SQLite as values: Database, Statement and Transaction over the C API, with errors as Results.
//
// Every connection is opened defensively (see sqlite.cc for the list) and every file it creates is readable
// by its owner only; the last path component is never followed if it is a link. SQL and these types stay
// inside store/ and the code that store/ serves. One connection and its statements belong to one thread at a
// time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace knapsack::sqlite {

// kInMemory: no file at all; the path is only a name for messages.
enum class OpenMode { kReadOnly, kReadWrite, kCreate, kInMemory };

// kFull: a commit that returned survives power loss. kNormal: it survives a crash of the program, and power
// loss leaves an older but sound state; for what can be built again.
enum class Durability { kFull, kNormal };

// kMemory: for a file that nobody looks at before it is complete; a crash may leave it torn.
enum class Journal { kWal, kMemory };

struct OpenOptions {
  OpenMode mode = OpenMode::kReadOnly;
  Durability durability = Durability::kFull;
  Journal journal = Journal::kWal;
  // How long a call waits for another connection before it answers kBusy.
  std::chrono::milliseconds busy_timeout{5000};
  // Folds the write-ahead log into the database when the last connection closes. Without it the log stays
  // until it is large enough, and a program that opens, writes once and closes syncs once instead of five
  // times.
  bool checkpoint_on_close = true;
  // Pages that are kept in memory; zero is the library's 2 MB. Past it a transaction writes pages to the log
  // before it is done, some of them again and again.
  int64_t cache_kilobytes = 0;
  // No other connection may have the file open, for as long as this one has.
  bool exclusive = false;
  // For a file on a disk that nobody can write to: no lock and no shared memory is needed, nor looked for.
  // Only with kReadOnly, and only when there is no log beside it.
  bool immutable = false;
  // What to do about a damaged file, for its error; empty where nothing can be done.
  std::string when_damaged;
  // A registered VFS in place of the system's; its paths are taken as they are. For tests.
  std::string vfs;
};

// Statements that were prepared and are not in use, by their text: parsing SQL costs more than most of our
// statements do. Belongs to one connection.
class IdleStatements;

// One prepared statement. Parameters count from 1 and columns from 0, as in SQLite.
class Statement {
 public:
  Statement() = default;
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&& other) noexcept;
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement();

  // Text and bytes are not copied: they must live until the statement has run. A failed bind is reported by
  // the next step or run.
  void bind_at(int parameter, std::nullptr_t);
  void bind_at(int parameter, int64_t value);
  void bind_at(int parameter, int value) { bind_at(parameter, static_cast<int64_t>(value)); }
  void bind_at(int parameter, bool value) { bind_at(parameter, static_cast<int64_t>(value)); }
  void bind_at(int parameter, double value);
  void bind_at(int parameter, std::string_view text);
  void bind_at(int parameter, const std::string& text) { bind_at(parameter, std::string_view(text)); }
  void bind_at(int parameter, const char* text) { bind_at(parameter, std::string_view(text)); }
  void bind_at(int parameter, std::span<const std::byte> bytes);
  template <class T>
  void bind_at(int parameter, const std::optional<T>& value) {
    if (value) {
      bind_at(parameter, *value);
    } else {
      bind_at(parameter, nullptr);
    }
  }

  // All parameters in order, from 1.
  template <class... Values>
  Statement& bind(const Values&... values) {
    int parameter = 0;
    (bind_at(++parameter, values), ...);
    return *this;
  }

  // True when there is a row to look at, false at the end. Statements with rows left hold their locks:
  // reset().
  Result<bool> step();
  // Runs to the end, ignoring rows, and is ready for the next bind. What a batch of inserts calls.
  Status run();
  // Lets go of its rows and locks; parameters stay bound.
  void reset();

  int64_t integer(int column) const;
  double real(int column) const;  // NaN where NULL is stored, which is how SQLite keeps NaN
  bool boolean(int column) const { return integer(column) != 0; }
  bool is_null(int column) const;
  // Valid until the next step, run or reset.
  std::string_view text(int column) const;
  std::span<const std::byte> bytes(int column) const;
  std::string string(int column) const { return std::string(text(column)); }

 private:
  friend class Database;
  Statement(sqlite3_stmt* statement, std::shared_ptr<IdleStatements> idle)
      : statement_(statement), idle_(std::move(idle)) {}

  sqlite3_stmt* statement_ = nullptr;
  std::shared_ptr<IdleStatements> idle_;  // where it goes when it is done
  int bind_failure_ = 0;
};

class Database {
 public:
  // Triggers do not fire while one of these is there, in this connection alone.
  class WithoutTriggers {
   public:
    explicit WithoutTriggers(Database& database);
    WithoutTriggers(const WithoutTriggers&) = delete;
    WithoutTriggers& operator=(const WithoutTriggers&) = delete;
    ~WithoutTriggers();

   private:
    Database& database_;
  };

  static Result<Database> open(const std::string& path, const OpenOptions& options);

  Database(Database&& other) noexcept;
  Database& operator=(Database&& other) noexcept;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  // A statement that was prepared before and is done is used again.
  Result<Statement> prepare(std::string_view sql);
  // One or more statements without parameters; rows are ignored.
  Status execute(const std::string& sql);
  // The first column of the first row, as an integer; 0 where there is none.
  Result<int64_t> integer(std::string_view sql);

  int64_t last_insert_rowid() const;
  int64_t changes() const;  // rows that the last statement inserted, updated or deleted

  // Folds the whole write-ahead log into the database and empties it; kBusy while somebody reads from it.
  Status checkpoint();
  // The same as far as it goes without waiting for anybody. Nothing depends on it: what stays in the log is
  // safe there.
  void try_checkpoint();

  const std::string& path() const { return path_; }
  // An error for a file that SQLite can read and we cannot use, saying what can be done.
  Error damaged(std::string_view why) const;

 private:
  Database(sqlite3* handle, std::string path, const OpenOptions& options);
  Error error_of_code(int code) const;
  Status configure(const OpenOptions& options);
  Status choose_journal(const OpenOptions& options);
  void set_busy_timeout(std::chrono::milliseconds timeout);

  sqlite3* handle_ = nullptr;
  std::string path_;
  std::chrono::milliseconds busy_timeout_;
  std::shared_ptr<IdleStatements> idle_;
};

// BEGIN IMMEDIATE … COMMIT. Rolled back when it goes out of scope without commit() having succeeded.
class Transaction {
 public:
  static Result<Transaction> begin(Database& database);
  // One consistent view for several reads; takes no writer's lock.
  static Result<Transaction> begin_read(Database& database);

  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  Status commit();

 private:
  explicit Transaction(Database* database) : database_(database) {}
  Database* database_;
};

}  // namespace knapsack::sqlite

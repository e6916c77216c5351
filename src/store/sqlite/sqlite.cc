#include "store/sqlite/sqlite.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <thread>
#include <unordered_map>
#include <vector>

#include "core/files/file_system.h"
#include "core/paths.h"
#include "store/sqlite/sqlite_error.h"

namespace knapsack::sqlite {
namespace {

Error system_error(std::string_view action, const std::string& path, int number) {
  const bool missing = number == ENOENT || number == ENOTDIR;
  return {missing ? ErrorCode::kNotFound : ErrorCode::kIo,
          fmt::format("cannot {} {}: {}", action, path, std::strerror(number)),
          "check that the folder exists and may be written"};
}

// The path with the links of its folder resolved. SQLite refuses a link anywhere in the path (NOFOLLOW),
// while we mean the last component only; an absolute path also cannot be taken for a "file:" URI or
// ":memory:".
Result<std::string> settle_path(const std::string& path) {
  const std::string folder = parent_path(path);
  char resolved[PATH_MAX];
  if (::realpath(folder.c_str(), resolved) == nullptr) return system_error("open", path, errno);
  return join_path(resolved, base_name(path));
}

// Creates the empty file with the mode we want (SQLite gives its -wal and -shm the same) and makes its name
// durable, so that power loss can never leave a write-ahead log without the database it belongs to.
Status create_private(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) {
    if (errno == EEXIST) return ok_status();
    return system_error("create", path, errno);
  }
  ::close(file);
  const std::string folder = parent_path(path);
  const int handle = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) return system_error("open", folder, errno);
  const bool synced = ::fsync(handle) == 0;
  const int failure = errno;
  ::close(handle);
  if (!synced) return system_error("sync", folder, failure);
  return ok_status();
}

// Refuses what SQLite would follow, wait for (it opens a journal to read it) or explain badly: in the place
// of the database or of a file that belongs to it.
Status require_regular_files(const std::string& path) {
  for (const char* ending : {"", "-wal", "-shm", "-journal"}) {
    const std::string name = path + ending;
    struct stat status {};
    if (::lstat(name.c_str(), &status) != 0) {
      if (errno == ENOENT && *ending != '\0') continue;
      return system_error("open", name, errno);
    }
    if (S_ISREG(status.st_mode)) continue;
    const FileKind kind = S_ISLNK(status.st_mode)   ? FileKind::kSymlink
                          : S_ISDIR(status.st_mode) ? FileKind::kDirectory
                                                    : FileKind::kOther;
    return Error{ErrorCode::kIo, fmt::format("{} is {}, not a regular file", name, describe(kind)),
                 "move it away or remove it"};
  }
  return ok_status();
}

// SQLite's own handler ends up asking ten times a second, so that one of several busy writers can miss its
// turn for seconds. This one asks two hundred times. The pointer carries the time-out in milliseconds.
int wait_a_little(void* timeout, int calls) {
  const auto allowed = reinterpret_cast<intptr_t>(timeout);
  const intptr_t slept = calls < 10 ? calls : 10 + intptr_t{5} * (calls - 10);
  if (slept >= allowed) return 0;
  sqlite3_sleep(calls < 10 ? 1 : 5);
  return 1;
}

// SQLite's own way to name a file together with a promise about it.
std::string immutable_address(std::string_view path) {
  std::string address = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      address += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    } else {
      address += c;
    }
  }
  return address + "?immutable=1";
}

}  // namespace

class IdleStatements {
 public:
  explicit IdleStatements(std::string when_damaged) : when_damaged_(std::move(when_damaged)) {}
  IdleStatements(const IdleStatements&) = delete;
  IdleStatements& operator=(const IdleStatements&) = delete;
  ~IdleStatements() { close(); }

  sqlite3_stmt* take(std::string_view sql) {
    const auto found = statements_.find(std::string(sql));
    if (found == statements_.end() || found->second.empty()) return nullptr;
    sqlite3_stmt* statement = found->second.back();
    found->second.pop_back();
    return statement;
  }

  void put(sqlite3_stmt* statement) {
    const char* sql = sqlite3_sql(statement);
    if (closed_ || sql == nullptr) {
      sqlite3_finalize(statement);
      return;
    }
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    statements_[sql].push_back(statement);
  }

  const std::string& when_damaged() const { return when_damaged_; }

  // The connection ends: nothing is kept any more.
  void close() {
    closed_ = true;
    for (auto& [sql, list] : statements_) {
      for (sqlite3_stmt* statement : list) sqlite3_finalize(statement);
    }
    statements_.clear();
  }

 private:
  std::unordered_map<std::string, std::vector<sqlite3_stmt*>> statements_;
  std::string when_damaged_;
  bool closed_ = false;
};

Statement::Statement(Statement&& other) noexcept
    : statement_(std::exchange(other.statement_, nullptr)),
      idle_(std::move(other.idle_)),
      bind_failure_(other.bind_failure_) {}

Statement& Statement::operator=(Statement&& other) noexcept {
  std::swap(statement_, other.statement_);
  std::swap(idle_, other.idle_);
  std::swap(bind_failure_, other.bind_failure_);
  return *this;
}

Statement::~Statement() {
  if (statement_ != nullptr) idle_->put(statement_);
}

void Statement::bind_at(int parameter, std::nullptr_t) {
  if (const int code = sqlite3_bind_null(statement_, parameter)) bind_failure_ = code;
}

void Statement::bind_at(int parameter, int64_t value) {
  if (const int code = sqlite3_bind_int64(statement_, parameter, value)) bind_failure_ = code;
}

void Statement::bind_at(int parameter, double value) {
  if (const int code = sqlite3_bind_double(statement_, parameter, value)) bind_failure_ = code;
}

void Statement::bind_at(int parameter, std::string_view text) {
  // A null pointer would bind NULL where an empty text is meant.
  const char* start = text.data() != nullptr ? text.data() : "";
  const int code = sqlite3_bind_text64(statement_, parameter, start, text.size(), SQLITE_STATIC, SQLITE_UTF8);
  if (code != SQLITE_OK) bind_failure_ = code;
}

void Statement::bind_at(int parameter, std::span<const std::byte> bytes) {
  const void* start = bytes.data() != nullptr ? static_cast<const void*>(bytes.data()) : "";
  const int code = sqlite3_bind_blob64(statement_, parameter, start, bytes.size(), SQLITE_STATIC);
  if (code != SQLITE_OK) bind_failure_ = code;
}

Result<bool> Statement::step() {
  if (bind_failure_ != SQLITE_OK) {
    const int code = std::exchange(bind_failure_, SQLITE_OK);
    return error_of(sqlite3_db_handle(statement_), code, idle_->when_damaged());
  }
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  Error error = error_of(sqlite3_db_handle(statement_), code, idle_->when_damaged());
  sqlite3_reset(statement_);
  return error;
}

Status Statement::run() {
  while (true) {
    auto row = step();
    if (!row.ok()) return row.error();
    if (!*row) break;
  }
  sqlite3_reset(statement_);
  return ok_status();
}

void Statement::reset() {
  sqlite3_reset(statement_);
}

int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

double Statement::real(int column) const {
  return is_null(column) ? std::numeric_limits<double>::quiet_NaN()
                         : sqlite3_column_double(statement_, column);
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::string_view Statement::text(int column) const {
  const auto* start = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  if (start == nullptr) return {};
  return {start, static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
}

std::span<const std::byte> Statement::bytes(int column) const {
  const auto* start = static_cast<const std::byte*>(sqlite3_column_blob(statement_, column));
  if (start == nullptr) return {};
  return {start, static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
}

Database::Database(Database&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)),
      path_(std::move(other.path_)),
      busy_timeout_(other.busy_timeout_),
      idle_(std::move(other.idle_)) {}

Database& Database::operator=(Database&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(path_, other.path_);
  std::swap(busy_timeout_, other.busy_timeout_);
  std::swap(idle_, other.idle_);
  return *this;
}

Database::Database(sqlite3* handle, std::string path, const OpenOptions& options)
    : handle_(handle),
      path_(std::move(path)),
      busy_timeout_(options.busy_timeout),
      idle_(std::make_shared<IdleStatements>(options.when_damaged)) {}

Error Database::error_of_code(int code) const {
  return error_of(handle_, code, path_, idle_->when_damaged());
}

Error Database::damaged(std::string_view why) const {
  return damaged_error(path_, why, idle_->when_damaged());
}

Database::~Database() {
  if (idle_) idle_->close();
  // v2: a statement that outlives its database by mistake stays valid instead of dangling.
  sqlite3_close_v2(handle_);
}

Result<Database> Database::open(const std::string& path, const OpenOptions& options) {
  std::string settled = path;
  const bool in_memory = options.mode == OpenMode::kInMemory;
  if (options.vfs.empty() && !in_memory) {
    KNAPSACK_TRY(settled, settle_path(path));
    if (options.mode == OpenMode::kCreate) KNAPSACK_CHECK(create_private(settled));
    KNAPSACK_CHECK(require_regular_files(settled));
  }
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE;
  flags |= options.mode == OpenMode::kReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  if (options.mode == OpenMode::kCreate) flags |= SQLITE_OPEN_CREATE;
  if (options.immutable) flags |= SQLITE_OPEN_URI;
  const std::string name = in_memory ? ":memory:" : options.immutable ? immutable_address(settled) : settled;
  sqlite3* handle = nullptr;
  const int code =
      sqlite3_open_v2(name.c_str(), &handle, flags, options.vfs.empty() ? nullptr : options.vfs.c_str());
  Database database(handle, std::move(settled), options);  // owns the handle of a failed open as well
  if (code != SQLITE_OK) return database.error_of_code(code);
  KNAPSACK_CHECK(database.configure(options));
  return database;
}

Status Database::configure(const OpenOptions& options) {
  const std::pair<int, int> switches[] = {
      {SQLITE_DBCONFIG_DEFENSIVE, 1},              // SQL cannot damage the file
      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},         // nor can a crafted schema run functions
      {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},  // nor anything load code
      {SQLITE_DBCONFIG_DQS_DML, 0},                // a misspelt "column" is an error, not a string
      {SQLITE_DBCONFIG_DQS_DDL, 0},
      {SQLITE_DBCONFIG_ENABLE_FKEY, 1},
      {SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, options.checkpoint_on_close ? 0 : 1},
  };
  for (const auto& [name, value] : switches) {
    const int code = sqlite3_db_config(handle_, name, value, nullptr);
    if (code != SQLITE_OK) return error_of_code(code);
  }
  set_busy_timeout(busy_timeout_);
  // Before anything that reads the file, so that the very first lock is the exclusive one.
  if (options.exclusive) KNAPSACK_CHECK(execute("PRAGMA locking_mode=EXCLUSIVE"));
  // Temporary tables and sorters in memory: content never reaches a shared temporary folder.
  KNAPSACK_CHECK(execute("PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY"));
  KNAPSACK_CHECK(execute(options.durability == Durability::kFull ? "PRAGMA synchronous=FULL"
                                                                 : "PRAGMA synchronous=NORMAL"));
  if (options.cache_kilobytes > 0) {
    KNAPSACK_CHECK(execute(fmt::format("PRAGMA cache_size=-{}", options.cache_kilobytes)));
  }
  return choose_journal(options);
}

void Database::set_busy_timeout(std::chrono::milliseconds timeout) {
  const auto pointer =
      reinterpret_cast<void*>(static_cast<intptr_t>(timeout.count()));  // NOLINT: never followed
  sqlite3_busy_handler(handle_, wait_a_little, pointer);
}

Status Database::choose_journal(const OpenOptions& options) {
  if (options.mode == OpenMode::kReadOnly) {
    return execute("PRAGMA schema_version");  // touches the file, so that a bad one is refused here
  }
  const bool wal = options.journal == Journal::kWal && options.mode != OpenMode::kInMemory;
  const std::string_view sql = wal ? "PRAGMA journal_mode=WAL" : "PRAGMA journal_mode=MEMORY";
  // The switch to WAL of a new file asks for a lock without calling the busy handler, so it is repeated here.
  const auto deadline = std::chrono::steady_clock::now() + options.busy_timeout;
  while (true) {
    KNAPSACK_TRY(Statement pragma, prepare(sql));
    auto row = pragma.step();
    if (row.ok()) {
      const std::string_view mode = pragma.text(0);
      if (mode == (wal ? "wal" : "memory")) return ok_status();
      return Error{ErrorCode::kIo, fmt::format("{} is kept in journal mode {}", path_, mode),
                   "its file system may lack locks or shared memory; move the workspace to a local disk"};
    }
    if (row.error().code != ErrorCode::kBusy || std::chrono::steady_clock::now() >= deadline) {
      return row.error();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

Result<Statement> Database::prepare(std::string_view sql) {
  assert(sql.size() < INT_MAX);
  if (sqlite3_stmt* idle = idle_->take(sql)) return Statement(idle, idle_);
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return error_of_code(code);
  assert(statement != nullptr);  // an empty statement is our own mistake
  return Statement(statement, idle_);
}

Status Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return error_of_code(code);
  return ok_status();
}

Result<int64_t> Database::integer(std::string_view sql) {
  KNAPSACK_TRY(Statement statement, prepare(sql));
  KNAPSACK_TRY(const bool row, statement.step());
  return row ? statement.integer(0) : 0;
}

int64_t Database::last_insert_rowid() const {
  return sqlite3_last_insert_rowid(handle_);
}

int64_t Database::changes() const {
  return sqlite3_changes64(handle_);
}

Database::WithoutTriggers::WithoutTriggers(Database& database) : database_(database) {
  (void)sqlite3_db_config(database_.handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
}

Database::WithoutTriggers::~WithoutTriggers() {
  (void)sqlite3_db_config(database_.handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 1, nullptr);
}

Status Database::checkpoint() {
  const int code = sqlite3_wal_checkpoint_v2(handle_, "main", SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  if (code != SQLITE_OK) return error_of_code(code);
  return ok_status();
}

void Database::try_checkpoint() {
  set_busy_timeout(std::chrono::milliseconds(0));
  (void)sqlite3_wal_checkpoint_v2(handle_, "main", SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  set_busy_timeout(busy_timeout_);
}

Result<Transaction> Transaction::begin(Database& database) {
  KNAPSACK_CHECK(database.execute("BEGIN IMMEDIATE"));
  return Transaction(&database);
}

Result<Transaction> Transaction::begin_read(Database& database) {
  KNAPSACK_CHECK(database.execute("BEGIN"));
  return Transaction(&database);
}

Transaction::~Transaction() {
  // Where SQLite rolled back by itself (disk full, I/O error), this fails, and there is nothing left to undo.
  if (database_ != nullptr) (void)database_->execute("ROLLBACK");
}

Status Transaction::commit() {
  KNAPSACK_CHECK(database_->execute("COMMIT"));
  database_ = nullptr;
  return ok_status();
}

}  // namespace knapsack::sqlite

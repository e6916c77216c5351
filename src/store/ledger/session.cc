#include "store/ledger/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/ascii.h"
#include "core/escape.h"
#include "store/sqlite/migrations.h"
#include "store/state_folder.h"

namespace knapsack {
namespace {

constexpr int32_t kSessionApplicationId = 0x4B73736E;  // "Kssn"
constexpr std::array<const char*, 1> kSessionVersions = {R"sql(
CREATE TABLE state (
  key TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
)sql"};

constexpr size_t kMaxTaskIdBytes = 64;
// Long enough for a run that is about to end, short enough for a person who waits.
constexpr std::chrono::milliseconds kWaitForOthers{2000};

bool may_stand_in_id(char c) {
  return ascii::is_letter_or_digit(c) || c == '.' || c == '_' || c == '-';
}

std::string file_of(const std::string& folder, const std::string& task_id) {
  return join_path(folder, task_id + ".db");
}

}  // namespace

std::string stage_output_key(const std::string& stage) {
  return "stage_outputs/" + stage;
}

Status check_task_id(std::string_view task_id) {
  if (!task_id.empty() && task_id.size() <= kMaxTaskIdBytes && task_id.front() != '.' &&
      std::all_of(task_id.begin(), task_id.end(), may_stand_in_id)) {
    return ok_status();
  }
  return Error{ErrorCode::kUsage, fmt::format("'{}' is not a task id", escape_control(task_id)),
               "use at most 64 letters, digits, '.', '_' and '-', not starting with '.'"};
}

Result<Session> Session::open(const std::string& folder, const std::string& task_id) {
  KNAPSACK_CHECK(check_task_id(task_id));
  const std::string path = file_of(folder, task_id);
  auto lock = FileLock::acquire(path + ".lock", FileLock::Mode::kExclusive, kWaitForOthers);
  if (!lock.ok()) {
    if (lock.error().code != ErrorCode::kBusy) return lock.error();
    return Error{ErrorCode::kBusy, fmt::format("another run works on task {}", task_id),
                 "wait for it, or choose another `task_id`"};
  }
  sqlite::OpenOptions options;
  options.mode = sqlite::OpenMode::kCreate;
  options.durability = sqlite::Durability::kFull;
  options.when_damaged = "remove it, or choose another `task_id`";
  KNAPSACK_TRY(sqlite::Database database, sqlite::Database::open(path, options));
  KNAPSACK_CHECK(sqlite::migrate(database, {"session", kSessionApplicationId, kSessionVersions}));
  return Session(*std::move(lock), std::move(database));
}

Result<std::optional<Session>> Session::find(const FileSystem& files, const std::string& folder,
                                             const std::string& task_id) {
  KNAPSACK_CHECK(check_task_id(task_id));
  KNAPSACK_CHECK(check_own_folder(files, folder));
  const auto there = files.info(file_of(folder, task_id));
  if (!there.ok()) {
    if (there.error().code == ErrorCode::kNotFound) return std::optional<Session>();
    return there.error();
  }
  KNAPSACK_TRY(Session session, open(folder, task_id));
  return std::optional<Session>(std::move(session));
}

Result<std::vector<std::string>> Session::list(const FileSystem& files, const std::string& folder) {
  KNAPSACK_CHECK(check_own_folder(files, folder));
  std::vector<std::string> ids;
  const auto entries = files.list(folder);
  if (!entries.ok()) {
    if (entries.error().code == ErrorCode::kNotFound) return ids;
    return entries.error();
  }
  constexpr std::string_view kEnding = ".db";
  for (const DirectoryEntry& entry : *entries) {
    if (!entry.name.ends_with(kEnding)) continue;
    std::string id = entry.name.substr(0, entry.name.size() - kEnding.size());
    if (check_task_id(id).ok()) ids.push_back(std::move(id));
  }
  return ids;
}

Result<bool> Session::remove(FileSystem& files, const std::string& folder, const std::string& task_id) {
  KNAPSACK_CHECK(check_task_id(task_id));
  KNAPSACK_CHECK(check_own_folder(files, folder));
  const std::string path = file_of(folder, task_id);
  const auto lock =
      FileLock::acquire(path + ".lock", FileLock::Mode::kExclusive, std::chrono::milliseconds(0));
  if (!lock.ok()) {
    if (lock.error().code == ErrorCode::kBusy) return false;
    return lock.error();
  }
  for (const char* ending : {"", "-journal", "-wal", "-shm"}) {
    const Status removed = files.remove(path + ending);
    if (!removed.ok() && removed.error().code != ErrorCode::kNotFound) return removed.error();
  }
  return true;
}

Result<std::optional<std::string>> Session::get(const std::string& key) {
  KNAPSACK_TRY(sqlite::Statement statement, database_->prepare("SELECT value FROM state WHERE key = ?"));
  statement.bind(key);
  KNAPSACK_TRY(const bool found, statement.step());
  if (!found) return std::optional<std::string>();
  return std::optional<std::string>(statement.string(0));
}

Status Session::put(const std::map<std::string, std::string>& values) {
  KNAPSACK_TRY(auto transaction, sqlite::Transaction::begin(*database_));
  KNAPSACK_TRY(sqlite::Statement statement,
               database_->prepare("INSERT INTO state (key, value) VALUES (?, ?) "
                                  "ON CONFLICT (key) DO UPDATE SET value = excluded.value"));
  for (const auto& [key, value] : values) {
    statement.bind(key, value);
    KNAPSACK_CHECK(statement.run());
  }
  return transaction.commit();
}

}  // namespace knapsack

#include "store/sqlite/migrations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "core/escape.h"

namespace knapsack::sqlite {
namespace {

// What SQLite adds for AUTOINCREMENT.
constexpr std::string_view kSequenceTable = "CREATE TABLE sqlite_sequence(name,seq)";
constexpr std::string_view kAddColumn = " ADD COLUMN ";
constexpr size_t kShownName = 60;  // bytes; whoever made it chose the name

// Whether the text is a whole statement of a version, as it stands there.
bool is_statement_of(const Schema& schema, const std::string& sql) {
  return std::any_of(schema.versions.begin(), schema.versions.end(), [&](std::string_view version) {
    return version.find(sql + ";") != std::string_view::npos || version.ends_with(sql);
  });
}

// SQLite writes a column that was added into the statement that made the table.
std::string without_added_columns(std::string sql, const Schema& schema) {
  for (const std::string_view version : schema.versions) {
    for (size_t at = version.find(kAddColumn); at != std::string_view::npos;
         at = version.find(kAddColumn, at)) {
      at += kAddColumn.size();
      const std::string column = fmt::format(", {}", version.substr(at, version.find(';', at) - at));
      if (const size_t added = sql.find(column); added != std::string::npos) sql.erase(added, column.size());
    }
  }
  return sql;
}

bool is_made_by(const Schema& schema, const std::string& sql) {
  // An index that belongs to a table has no statement of its own.
  return sql.empty() || sql == kSequenceTable || is_statement_of(schema, sql) ||
         is_statement_of(schema, without_added_columns(sql, schema));
}

// What the file says of itself: its version, or why it is none of ours. These are several reads, so the
// caller holds a transaction: a migration by another process must not land between them.
Result<int64_t> read_version(Database& database, const Schema& schema) {
  KNAPSACK_TRY(const int64_t owner, database.integer("PRAGMA application_id"));
  KNAPSACK_TRY(const int64_t version, database.integer("PRAGMA user_version"));
  if (owner != schema.application_id) {
    KNAPSACK_TRY(const int64_t objects, database.integer("SELECT count(*) FROM sqlite_schema"));
    if (owner != 0 || version != 0 || objects != 0) {
      return Error{ErrorCode::kIo,
                   fmt::format("{} is a database of another program, not a {}", database.path(), schema.name),
                   "move it away"};
    }
  }
  const auto newest = static_cast<int64_t>(schema.versions.size());
  if (version > newest) {
    return Error{ErrorCode::kIo,
                 fmt::format("{} was written by a newer knapsack ({} version {}, this one knows {})",
                             database.path(), schema.name, version, newest),
                 "upgrade knapsack"};
  }
  if (version < 0 || (owner == schema.application_id && version == 0)) {
    return Error{ErrorCode::kCorrupt,
                 fmt::format("{} is damaged: {} version {}", database.path(), schema.name, version), ""};
  }
  return version;
}

}  // namespace

Status check_schema(Database& database, const Schema& schema) {
  KNAPSACK_TRY(Statement held, database.prepare("SELECT sql, name FROM sqlite_schema"));
  while (true) {
    KNAPSACK_TRY(const bool more, held.step());
    if (!more) return ok_status();
    if (is_made_by(schema, held.string(0))) continue;
    return database.damaged(fmt::format("it holds {}, which is not as knapsack creates it",
                                        escape_control(held.text(1).substr(0, kShownName))));
  }
}

Status migrate(Database& database, const Schema& schema) {
  assert(schema.application_id != 0 && !schema.versions.empty());
  int64_t version = 0;
  {
    KNAPSACK_TRY(const Transaction view, Transaction::begin_read(database));
    KNAPSACK_TRY(version, read_version(database, schema));
    KNAPSACK_CHECK(check_schema(database, schema));
  }
  const auto newest = static_cast<int64_t>(schema.versions.size());
  while (version < newest) {
    KNAPSACK_TRY(Transaction transaction, Transaction::begin(database));
    // Another process may have been here while we waited for the lock.
    KNAPSACK_TRY(version, read_version(database, schema));
    if (version == newest) break;
    KNAPSACK_CHECK(database.execute(schema.versions[static_cast<size_t>(version)]));
    ++version;
    KNAPSACK_CHECK(database.execute(
        fmt::format("PRAGMA application_id={}; PRAGMA user_version={}", schema.application_id, version)));
    KNAPSACK_CHECK(transaction.commit());
  }
  return ok_status();
}

}  // namespace knapsack::sqlite

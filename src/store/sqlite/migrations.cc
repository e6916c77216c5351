#include "store/sqlite/migrations.h"

#include <fmt/format.h>

#include <cassert>

namespace knapsack::sqlite {
namespace {

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

Status migrate(Database& database, const Schema& schema) {
  assert(schema.application_id != 0 && !schema.versions.empty());
  int64_t version = 0;
  {
    KNAPSACK_TRY(const Transaction view, Transaction::begin_read(database));
    KNAPSACK_TRY(version, read_version(database, schema));
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

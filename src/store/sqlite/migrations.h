// Numbered migrations: which program a database belongs to, and how it grows from one version to the next.
//
// The header of the file says whose it is (application_id) and how far it has come (user_version). Each step
// is one transaction, so that a crash leaves a whole version. A database of another program or of a newer
// version is refused and not touched. Each statement of a step that makes something is written as SQLite keeps
// it: CREATE TABLE, INDEX or TRIGGER in capitals with single spaces, and ALTER TABLE only to add a column.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/result.h"
#include "store/sqlite/sqlite.h"

namespace knapsack::sqlite {

struct Schema {
  std::string_view name;                  // "ledger", for messages
  int32_t application_id = 0;             // never 0: that is what a new file holds
  std::span<const char* const> versions;  // versions[0] turns an empty file into version 1, and so on
};

// Brings the database to the newest version. Two processes may do this at once: the second waits. One that
// holds what check_schema() refuses is not used.
Status migrate(Database& database, const Schema& schema);

// kCorrupt when the database holds a table, index, trigger or view that no version of the schema makes. A
// repository can bring a database along, and a view or a trigger of its making could run for ever in the place
// of a table of ours, or when a row is written. For readers, who do not migrate; before anything else is read.
Status check_schema(Database& database, const Schema& schema);

}  // namespace knapsack::sqlite

// Numbered migrations: which program a database belongs to, and how it grows from one version to the next.
//
// The header of the file says whose it is (application_id) and how far it has come (user_version). Each step
// is one transaction, so that a crash leaves a whole version. A database of another program or of a newer
// version is refused and not touched.
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

// Brings the database to the newest version. Two processes may do this at once: the second waits.
Status migrate(Database& database, const Schema& schema);

}  // namespace knapsack::sqlite

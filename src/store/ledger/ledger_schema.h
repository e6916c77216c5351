// The tables of raw.db, described in docs/schema.md. Private to store/ledger/.
#pragma once

#include "store/sqlite/migrations.h"

namespace knapsack {

const sqlite::Schema& ledger_schema();

}  // namespace knapsack

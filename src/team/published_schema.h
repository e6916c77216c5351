// The second step of the schema: repositories, their published indexes, jobs for workers, and the ledger of runs. Private to
// team/; team/migrations.h does it.
#pragma once

#include <vector>

#include "team/connection.h"

namespace knapsack::team {

const std::vector<const char*>& published_step();

// Partitions of the ledger for two years from now on. Rows of a month that has none are kept in a partition for all of those.
Status make_months(Connection& connection, Deadline deadline);

}  // namespace knapsack::team

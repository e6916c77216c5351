// The schema `knapsack` of a team's database, as numbered steps.
//
// Each step is one transaction under a lock of its own, so that two programs that set a server up at once do each step once. A
// step adds; it never rewrites a table. A server that is ahead of this program is refused in one line. docs/team.md says what the
// tables are for.
#pragma once

#include "team/connection.h"

namespace knapsack::team {

int newest_schema();

// The version that the server has; 0: none. Reads one row.
Result<int> schema_version(Connection& connection, Deadline deadline);
// kConfig for a server without the schema, or with one that this program does not know.
Status check_schema(Connection& connection, Deadline deadline);
// Brings the schema up to date; does nothing where it is. How many steps were done.
Result<int> migrate(Connection& connection, Deadline deadline);

}  // namespace knapsack::team

// What is asked of a team's server. The server decides by its own row-level security what may be read and written: nothing
// here filters for anybody's safety. One thread, as for Connection.
#pragma once

#include <string>
#include <vector>

#include "team/connection.h"
#include "team/team_memory.h"

namespace knapsack::team {

struct TeamNamespace {
  std::string name;  // "shop"
  bool may_write = false;
  bool review = false;  // new memories wait for somebody else to accept them
};

// Those of the role that asks, by name.
Result<std::vector<TeamNamespace>> my_namespaces(Connection& connection, Deadline deadline);
Result<std::string> my_role(Connection& connection, Deadline deadline);

// Nothing where a memory of this id is there already: however often it is asked for, it is there once.
Status put_memory(Connection& connection, const TeamMemory& memory, Deadline deadline);

// What has changed since a point in time that only the server knows; everything for an empty one. The same row may come
// again with the next changes, and none is missed.
struct Changes {
  std::vector<TeamMemory> memories;
  std::vector<TeamNamespace> namespaces;
  std::string since;  // for the next time
  uint64_t count =
      0;  // of all that may be read: another number than one's own means that something was missed
};
Result<Changes> read_changes(Connection& connection, const std::string& since, Deadline deadline);

// kUsage for a memory that is not there, or that the role may not judge.
Status review_memory(Connection& connection, const std::string& team, const std::string& id, bool accept,
                     Deadline deadline);

// kUsage for a role that the server does not have.
Status check_role(Connection& connection, const std::string& role, Deadline deadline);
// Rights to read every table and those in `rights`, as statements with %I for the role; which rows they are for is what the
// policies say.
Status give_rights(Connection& connection, const std::string& role, std::vector<const char*> rights,
                   Deadline deadline);

struct Grant {
  std::string role, team;
  bool may_write = false;
  std::optional<bool> review;  // nothing: as it is
};
// Creates the namespace where it is missing. For the owner of the schema.
Status grant(Connection& connection, const Grant& wanted, Deadline deadline);

}  // namespace knapsack::team

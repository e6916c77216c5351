// Repositories of a team's server and what is published of them. The server decides who sees which. One thread, as for Connection.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "team/connection.h"
#include "team/manifest.h"

namespace knapsack::team {

inline constexpr size_t kMaxRepositoryName = 100;
bool is_repository_name(std::string_view name);

struct RepositoryRow {
  std::string name, source;
  std::string commit;     // the newest that is published; empty: none is
  std::string published;  // when
  uint64_t snapshots = 0, stored = 0;
  uint64_t waiting = 0, failed = 0;  // jobs
  std::string problem;               // of the job that failed last
};

// For the owner of the schema. kUsage for one that is there already with another source.
Status add_repository(Connection& connection, const std::string& name, const std::string& source,
                      Deadline deadline);
// For the owner of the schema.
Status grant_repository(Connection& connection, const std::string& role, const std::string& repository,
                        bool may_write, Deadline deadline);
Status grant_ledger(Connection& connection, const std::string& role, Deadline deadline);
// Those of the role that asks, by name.
Result<std::vector<RepositoryRow>> my_repositories(Connection& connection, Deadline deadline);

struct SnapshotName {
  std::string commit, manifest;  // `manifest`: of the object that holds it
};
// The commit becomes part of a path here, whatever the server is.
bool is_snapshot_name(const SnapshotName& name);
// The newest one for an empty revision, else the one of a commit by its id or a beginning of that. kNotFound, with what there is.
Result<SnapshotName> find_snapshot(Connection& connection, const std::string& repository,
                                   const std::string& revision, Deadline deadline);

// Which of these the server has not.
Result<std::vector<std::string>> missing_objects(Connection& connection, const std::string& repository,
                                                 const std::vector<std::string>& names, Deadline deadline);
Status put_object(Connection& connection, const std::string& repository, std::string_view bytes,
                  Deadline deadline);
// Checked against their names. kNotFound where one is missing.
Result<std::map<std::string, std::string>> get_objects(Connection& connection, const std::string& repository,
                                                       const std::vector<std::string>& names,
                                                       Deadline deadline);

// A line of the ledger of runs.
struct TeamRun {
  std::string repository, commit, command, request_json, status;
  int64_t milliseconds = 0;
};
Status put_run(Connection& connection, const TeamRun& run, Deadline deadline);

}  // namespace knapsack::team

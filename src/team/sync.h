// Bringing a machine and its teams' server together: what waits is delivered, what is new is fetched.
//
// Safe to be killed and to be run by several processes at once: delivering is idempotent, fetching is repeated. One of them
// fetches at a time. The root folder must be there.
#pragma once

#include <string>
#include <vector>

#include "core/clock.h"
#include "core/files/file_system.h"
#include "team/connection.h"

namespace knapsack::team {

struct SyncRequest {
  std::string root;  // of the outbox and the cached copy
  ServerAddress address;
  Deadline deadline;
  Timestamp now;
  bool on_disk = true;  // false for files in memory: there is nobody to lock out
};

struct SyncReport {
  size_t delivered = 0;
  size_t waiting = 0;                // that are still in the outbox
  size_t changed = 0;                // memories that were fetched
  std::vector<std::string> refused;  // a line for each that the server does not want; they stay in the outbox
  std::vector<std::string> warnings;
  std::string problem;  // why it is not complete; empty where it is
};

// Where the server does not answer that is in the report: being offline is normal. An error is a disk that fails, a server of
// another version, or a right that is missing.
Result<SyncReport> sync(FileSystem& files, const SyncRequest& request);

}  // namespace knapsack::team

// Work for a team's workers: a commit of a repository whose index is to be published.
//
// A job is taken for a time (its lease), by the server's clock; whoever has it makes that longer while it works. One that dies
// loses it, and another goes on. A lease that was lost cannot publish. One thread, as for Connection.
#pragma once

#include <optional>
#include <string>

#include "team/connection.h"
#include "team/published.h"

namespace knapsack::team {

inline constexpr std::chrono::seconds kLeaseTime{60};
inline constexpr int kMaxAttempts = 5;

struct Job {
  std::string id, lease;
  std::string repository, commit;  // `commit` may be "HEAD": of the mirror
  int attempt = 0;
};
// Whether all of it is what a server of ours gives: its names become parts of paths.
bool is_sound_job(const Job& job);

// False where the same one waits already or is published. `commit`: an id, or "HEAD".
Result<bool> add_job(Connection& connection, const std::string& repository, const std::string& commit,
                     Deadline deadline);
// The oldest that nobody has; nothing where there is none.
Result<std::optional<Job>> take_job(Connection& connection, const std::string& worker, Deadline deadline);
// False: it is somebody else's by now.
Result<bool> keep_job(Connection& connection, const Job& job, Deadline deadline);
// Gives it back, to be tried again later; after kMaxAttempts it is failed. Nothing where it is somebody else's.
Status fail_job(Connection& connection, const Job& job, const std::string& problem, Deadline deadline);

struct NewSnapshot {
  std::string commit, manifest;  // the name of an object that is there
  uint64_t size = 0, added = 0;
};
// The snapshot becomes visible and the job is done, both or neither. kBusy where the job is somebody else's by now.
Status finish_job(Connection& connection, const Job& job, const NewSnapshot& snapshot, Deadline deadline);

}  // namespace knapsack::team

// Publishing the index of a commit: from a state folder to objects on a team's server.
//
// Objects go first, each on its own, and mean nothing until finish_job() names them: whoever is killed or cut off on the way
// leaves some that the next attempt finds. One thread.
// Private to engine/published/.
#pragma once

#include <string>

#include "engine/published/content_cache.h"
#include "team/jobs.h"

namespace knapsack {

struct PublishRequest {
  std::string repository, commit;
  std::string state_folder;      // curated.db, texts.db and segments/, which nobody changes any more
  const team::Manifest* before;  // the newest that is published; null: none is
};

// Sends what the server has not; the snapshot that may now be named.
Result<team::NewSnapshot> publish_index(FileSystem& files, ContentCache& cache, team::Connection& connection,
                                        const PublishRequest& request, team::Deadline deadline);

}  // namespace knapsack

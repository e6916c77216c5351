// Worker: takes jobs of a team's server, makes the index of a commit from a local mirror, and publishes it.
//
// It fetches nothing: a mirror is a folder that somebody keeps up to date. Each job has a folder of its own, which is removed when
// it is over; what is kept is a cache. Killed at any moment it loses its lease, and the next worker does the job again. Several
// jobs at once are several threads, each with its own connection.
// Private to engine/published/.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "engine/engine_state.h"
#include "engine/published/content_cache.h"
#include "team/jobs.h"

namespace knapsack {

struct WorkerPlaces {
  team::ServerAddress address;
  std::string cache;    // the folder of a ContentCache
  std::string mirrors;  // holds NAME or NAME.git for each repository
  uint64_t max_cache_bytes = 0;
};

// What it did, a line each; may be called from several threads at once.
using WorkerTells = std::function<void(const std::string& line)>;

// Takes one job and does it. False where there was none. An error is a server that does not answer, or refuses: a job that fails
// is said to the server and told.
Result<bool> do_next_job(const Engine::State& state, const WorkerPlaces& places, const WorkerTells& tell,
                         const std::stop_token& stop);

}  // namespace knapsack

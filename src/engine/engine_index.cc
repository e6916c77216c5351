#include "code/indexer.h"
#include "engine/engine_state.h"
#include "store/state_folder.h"

namespace knapsack {

Result<code::IndexReport> Engine::index(const IndexOptions& options) {
  code::IndexRequest request;
  KNAPSACK_TRY(request.workspace, state_->files->resolve(state_->workspace.path));
  KNAPSACK_TRY(request.state_folder, ensure_state_folder(*state_->files, state_->workspace.path));
  request.revision = options.revision;
  request.jobs = options.jobs;
  request.history = options.history;
  request.full = options.full;
  request.wait = options.wait;
  request.git.read_outside_alternates = options.read_outside_alternates;
  request.now = state_->clock->now();
  request.progress = options.progress;
  return code::index_repository(*state_->files, request);
}

}  // namespace knapsack

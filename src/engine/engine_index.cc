#include <fmt/format.h>

#include "code/indexer.h"
#include "engine/code_vectors.h"
#include "engine/engine_state.h"
#include "store/curated.h"
#include "store/state_folder.h"

namespace knapsack {

Result<code::IndexReport> Engine::index(const IndexOptions& options) {
  auto report = state_->bring_index_up_to_date(options);
  if (report.ok()) start_code_vectors(*state_);
  return report;
}

Result<code::IndexReport> Engine::State::bring_index_up_to_date(const IndexOptions& wanted, Told told) const {
  code::IndexRequest request;
  KNAPSACK_TRY(request.workspace, files->resolve(workspace.path));
  KNAPSACK_TRY(request.state_folder, ensure_state_folder(*files, workspace.path));
  KNAPSACK_TRY(const Settings settings, load_settings(*files, settings_request({})));
  request.allow_sensitive = settings.index_allow_sensitive;
  if (settings.index_sandbox) request.parsing_program = options.parsing_program;
  request.revision = wanted.revision;
  request.jobs = wanted.jobs;
  request.history = wanted.history;
  request.full = wanted.full;
  request.wait = wanted.wait;
  request.brief = told == Told::kChangesOnly;
  request.git.read_outside_alternates = wanted.read_outside_alternates;
  request.now = clock->now();
  request.progress = wanted.progress;
  request.stop = wanted.stop;
  if (wanted.deadline) request.read_until = std::chrono::steady_clock::now() + *wanted.deadline;
  return code::index_repository(*files, request);
}

Result<Engine::State::Refreshed> Engine::State::refresh_index(const IndexOptions& wanted) const {
  const auto report = bring_index_up_to_date(wanted, Told::kChangesOnly);
  if (report.ok()) {
    Refreshed refreshed;
    refreshed.snapshot = report->number;
    // A part that was published says so itself, to whoever opens it.
    if (report->unread > 0 && !report->changed) {
      refreshed.problem = fmt::format(
          "the index is older than the files: {} that are new or may have changed were not read in time, "
          "which was {:g} s "
          "(--index-deadline)",
          report->unread,
          static_cast<double>(wanted.deadline.value_or(std::chrono::milliseconds(0)).count()) / 1000);
    }
    return refreshed;
  }
  if (report.error().code == ErrorCode::kStopped) return report.error();
  if (!Curated::open(*files, state_folder()).ok()) return report.error();
  return Refreshed{"the index could not be brought up to date: " + report.error().line()};
}

}  // namespace knapsack

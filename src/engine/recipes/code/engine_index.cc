#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "code/index/curated.h"
#include "code/index/indexer.h"
#include "engine/engine_state.h"
#include "engine/run_record.h"
#include "engine/sources/code_vectors.h"
#include "store/state_folder.h"

namespace knapsack {
namespace {

// "stopped" and "failed" tell why in their details.
IndexRun index_run_of(const Result<code::IndexReport>& report, const std::string& workspace,
                      Timestamp started, int64_t micros) {
  IndexRun run;
  run.started = started;
  run.workspace = workspace;
  run.duration_micros = micros;
  run.program_version = Engine::version();
  nlohmann::ordered_json details = nlohmann::ordered_json::object();
  if (!report.ok()) {
    run.outcome = report.error().code == ErrorCode::kStopped ? "stopped" : "failed";
    details["error"] = report.error().line();
  } else {
    run.outcome = report->unread > 0 ? "partial" : "complete";
    run.snapshot = report->snapshot;
    run.files_seen = static_cast<int64_t>(report->files);
    run.files_parsed = static_cast<int64_t>(report->parsed);
    for (const auto& [why, count] : report->listed) run.files_skipped += static_cast<int64_t>(count);
    details["commit"] = report->commit_id;
    details["examined"] = report->examined;
    details["unread"] = report->unread;
    details["removed"] = report->removed;
    details["languages"] = report->languages;
    details["listed"] = report->listed;
    details["times"] = nlohmann::ordered_json::object();
    for (const auto& [step, took] : report->times) details["times"][step] = took;
  }
  run.details_json = json_line(details);
  return run;
}

}  // namespace

Result<code::IndexReport> CodeRecipes::index(const IndexOptions& options) {
  if (!state_->options.snapshot.empty()) {
    code::IndexReport as_it_is;
    as_it_is.snapshot = as_it_is.commit_id = state_->options.snapshot;
    return as_it_is;
  }
  auto report = state_->bring_index_up_to_date(options);
  if (report.ok()) start_code_vectors(*state_);
  return report;
}

Result<code::IndexReport> EngineState::bring_index_up_to_date(const IndexOptions& wanted, Told told) const {
  code::IndexRequest request;
  KNAPSACK_TRY(request.workspace, files->resolve(workspace.path));
  KNAPSACK_TRY(request.state_folder, ensure_state_folder(*files, workspace.path));
  KNAPSACK_TRY(const Settings settings, this->settings(Flags()));
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
  const auto began = std::chrono::steady_clock::now();
  auto report = code::index_repository(*files, request);
  // A refresh that found everything as it was is no event; most requests begin with one.
  if (told == Told::kChangesOnly && report.ok() && !report->changed) return report;
  const auto took =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - began);
  const Status recorded = record_index_run(index_run_of(report, workspace.path, request.now, took.count()));
  if (recorded.ok()) return report;
  const std::string line = "this index run is not in the ledger: " + recorded.error().line();
  // Nobody reads the report of a refresh, and a damaged ledger is met once: it has been moved aside.
  const bool is_read = told == Told::kAll && report.ok();
  if (!is_read && recorded.error().code == ErrorCode::kCorrupt) options.log.write(LogLevel::kWarning, line);
  if (report.ok()) report->notes.push_back(line);
  return report;
}

// Each its own ledger: an index run may take place beside a request that reads it.
Status EngineState::record_index_run(const IndexRun& run) const {
  KNAPSACK_TRY(const auto opened, ledger());
  KNAPSACK_TRY([[maybe_unused]] const int64_t sequence, opened->append_index_run(run));
  return ok_status();
}

Result<Engine::State::Refreshed> EngineState::refresh_index(const IndexOptions& wanted) const {
  if (!options.snapshot.empty()) {
    KNAPSACK_TRY(auto rows, code::Curated::open(*files, state_folder()));
    KNAPSACK_TRY(const auto there, rows.find_snapshot(options.snapshot));
    return Refreshed{"", there ? there->snapshot : 0};
  }
  const auto report = bring_index_up_to_date(wanted, Told::kChangesOnly);
  if (report.ok()) {
    Refreshed refreshed;
    refreshed.snapshot = report->number;
    // A part that was published says so itself, to whoever opens it.
    if (report->unread > 0 && !report->changed) {
      refreshed.problem = fmt::format(
          "the index is older than the files: {} that are new or may have changed were not read in time, "
          "which was {:g} s "
          "(`index_deadline`)",
          report->unread,
          static_cast<double>(wanted.deadline.value_or(std::chrono::milliseconds(0)).count()) / 1000);
    }
    return refreshed;
  }
  // Nothing that is there answers a request for what there cannot be, such as the work tree of a bare repository.
  if (report.error().code == ErrorCode::kStopped || report.error().code == ErrorCode::kUsage)
    return report.error();
  if (!code::Curated::open(*files, state_folder()).ok()) return report.error();
  return Refreshed{"the index could not be brought up to date: " + report.error().line()};
}

}  // namespace knapsack

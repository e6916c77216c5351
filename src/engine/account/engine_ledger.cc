// The methods of Engine that look into the ledger and the settings.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/ascii.h"
#include "core/counted.h"
#include "core/nearest.h"
#include "engine/account/explain_file.h"
#include "engine/engine_state.h"
#include "engine/recipes/graph/graph_session.h"
#include "engine/recipes/memory/memory_session.h"
#include "engine/sources/describe_meaning.h"
#include "store/ledger/session.h"
#include "text/parse_json.h"

namespace knapsack {
namespace {

bool contains_folded(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(),
                     [&](char a, char b) { return ascii::lower(a) == ascii::lower(b); }) != text.end();
}

std::string answer_for(const Decision& row, const RunRecord& run) {
  const int64_t left = std::max<int64_t>(0, run.budget - run.used);
  if (row.included && row.stage != "pack" && row.stage != "rank")
    return fmt::format("{} was kept at stage {}: {}", row.candidate_id, row.stage, row.reason);
  if (row.included && row.form == "full")
    return fmt::format("{} is there in full ({} tokens)", row.candidate_id, row.tokens);
  // A signature behind the end of a packet: more of it was never on offer.
  if (row.included && row.full_tokens <= row.tokens)
    return fmt::format("{} is there as its {} ({} tokens)", row.candidate_id, row.form, row.tokens);
  if (row.included) {
    return fmt::format("{} is there as its {} ({} tokens): {}, {} more than were left", row.candidate_id,
                       row.form, row.tokens, row.reason,
                       std::max<int64_t>(1, row.full_tokens - row.tokens - left));
  }
  if (row.stage != "pack")
    return fmt::format("{} was dropped at stage {}: {}", row.candidate_id, row.stage, row.reason);
  // Where an estimate keeps a margin free, more is left than may be used.
  if (row.tokens <= left) return fmt::format("{} was left out: {}", row.candidate_id, row.reason);
  return fmt::format(
      "{} was left out of the budget by {} tokens: even as a title it needs {}, and {} remained",
      row.candidate_id, row.tokens - left, row.tokens, left);
}

bool is_of_code(const RunRecord& run) {
  return run.command == "retrieve" || run.command == "refine" || run.command == "pack";
}

// What a source looks for, in words.
std::string_view found_as(const RunRecord& run) {
  if (run.command == "graph pack") {
    return "as a node of the graph by its id in the request, by distinctive words that it shares with it, by "
           "what refers to it or by a change of the last week; nodes that score nothing are only counted";
  }
  if (run.command == "pack") {
    return "as a file of the index or a symbol of a file in scope, an entry of the notes, a memory or a node "
           "of "
           "the graph";
  }
  if (run.command == "search")
    return "as a file, an entry, a memory or a node that shares words with the query or is near it in "
           "meaning";
  if (run.command == "recall") {
    return "as a memory of a namespace that is read, by words that it shares with the prompt or by its "
           "meaning";
  }
  if (is_of_code(run)) return "as a file of the index, or a symbol of a file in scope";
  return "as an open task, a convention bullet or a dated entry in the notes folder";
}

std::vector<std::string> answers_for(const std::string& expect, const Explanation& explanation) {
  constexpr size_t kMaxAnswers = 20;
  std::vector<std::string> answers;
  for (const auto& row : explanation.decisions) {
    if (row.candidate_id == expect) return {answer_for(row, explanation.run.record)};
  }
  std::vector<std::string> ids;
  size_t more = 0;
  for (const auto& row : explanation.decisions) {
    ids.push_back(row.candidate_id);
    if (!contains_folded(row.candidate_id, expect) && !contains_folded(row.title, expect)) continue;
    if (answers.size() < kMaxAnswers) {
      answers.push_back(answer_for(row, explanation.run.record));
    } else {
      ++more;
    }
  }
  if (more > 0) answers.push_back(fmt::format("… and {} more match '{}'", more, expect));
  if (answers.empty()) {
    answers.push_back(
        fmt::format("'{}' was never gathered: among the {} candidates of this run none has this in its id or "
                    "title. It would have been found {}{}",
                    expect, ids.size(), found_as(explanation.run.record),
                    ids.empty() ? "" : fmt::format("; the nearest id is {}", nearest_name(expect, ids))));
  }
  return answers;
}

std::string describe_ledger(const EngineState& state) {
  const std::string raw = join_path(state.state_folder(), "raw.db");
  const auto info = state.files->info(raw);
  const auto log = state.files->info(raw + "-wal");
  const uint64_t bytes = (info.ok() ? info->size : 0) + (log.ok() ? log->size : 0);
  return info.ok() ? fmt::format("{}, {} kB", relative_to(state.workspace.path, raw), (bytes + 1023) / 1024)
                   : "none yet: the first run creates .knapsack/raw.db";
}

}  // namespace

Result<std::vector<StoredRun>> AccountRecipes::runs(int64_t limit) {
  KNAPSACK_TRY(const auto ledger, state_->ledger());
  RunFilter filter;
  filter.limit = limit;
  return ledger->list_runs(filter);
}

Result<Explanation> AccountRecipes::explain(const std::string& run, const std::string& expect) {
  KNAPSACK_TRY(const auto ledger, state_->ledger());
  Explanation explanation;
  KNAPSACK_TRY(explanation.run, ledger->find_run(run));
  KNAPSACK_TRY(explanation.decisions, ledger->decisions_of(explanation.run.key.sequence));
  const RunRecord& record = explanation.run.record;
  const auto warnings = parse_json(record.warnings_json);
  for (const auto& warning : warnings) {
    if (warning.is_string()) explanation.warnings.push_back(warning.get<std::string>());
  }
  const auto times = parse_ordered_json(record.timings_json);
  for (const auto& [step, micros] : times.items()) {
    if (micros.is_number_integer()) explanation.times.push_back({step, micros.get<int64_t>()});
  }
  if (!expect.empty() && is_of_code(record)) {
    KNAPSACK_TRY(explanation.answers, explain_file(*state_, explanation, expect));
  }
  if (!expect.empty() && explanation.answers.empty()) explanation.answers = answers_for(expect, explanation);
  return explanation;
}

Result<RunOutput> AccountRecipes::run_output(const std::string& run) {
  KNAPSACK_TRY(const auto ledger, state_->ledger());
  KNAPSACK_TRY(StoredRun found, ledger->find_run(run));
  KNAPSACK_TRY(auto output, ledger->output_of(found.key.sequence));
  if (!output) {
    return Error{ErrorCode::kNotFound, fmt::format("run {} has no stored output", run),
                 "`knapsack runs` lists the others"};
  }
  return RunOutput{std::move(found), *std::move(output)};
}

Result<PruneReport> AccountRecipes::prune(Timestamp before) {
  const std::string sessions = join_path(state_->state_folder(), "sessions");
  KNAPSACK_TRY(const auto ids, Session::list(*state_->files, sessions));
  KNAPSACK_TRY(const auto ledger, state_->ledger());
  const auto has_run = [&](const std::string& id) -> Result<bool> {
    RunFilter filter;
    filter.limit = 1;
    filter.task_id = id;
    KNAPSACK_TRY(const auto runs, ledger->list_runs(filter));
    return !runs.empty();
  };
  // A session without any run is one of a retrieval that has not come to its end: it can still be resumed.
  std::vector<std::string> finished;
  for (const std::string& id : ids) {
    KNAPSACK_TRY(const bool is_finished, has_run(id));
    if (is_finished) finished.push_back(id);
  }
  KNAPSACK_TRY(PruneReport report, ledger->prune(before));
  for (const std::string& id : finished) {
    KNAPSACK_TRY(const bool stays, has_run(id));
    if (stays) continue;
    KNAPSACK_TRY(const bool removed, Session::remove(*state_->files, sessions, id));
    report.sessions_removed += removed ? 1 : 0;
  }
  return report;
}

Result<WorkspaceStatus> AccountRecipes::status() {
  const SettingFileCache::Request once(state_->setting_files);
  WorkspaceStatus status;
  status.workspace = state_->workspace.path;
  status.found_by = state_->workspace.found_by;
  const SettingsRequest wanted = state_->settings_request({});
  KNAPSACK_TRY(const Settings settings, state_->settings(wanted));
  KNAPSACK_TRY(const auto folder_request, state_->folder_request(settings, wanted));
  const auto folder = notes::read_folder(*state_->files, folder_request);
  if (folder.ok()) {
    status.notes = fmt::format(
        "{}: {}, {}, {}, {}, {}", folder_request.shown_as, counted(folder->constitution.size(), "rule"),
        counted(folder->tasks.size(), "open task"), counted(folder->conventions.size(), "convention"),
        counted(folder->decisions.size(), "decision"), counted(folder->learnings.size(), "learning"));
  } else {
    status.notes = folder.error().line();
  }
  status.graph = describe_graph(*state_, settings, wanted);
  status.memory = describe_memory(*state_, settings, wanted);
  status.meaning = describe_meaning(*state_, settings);
  status.code = state_->describe_code_index();
  constexpr int64_t kLastRuns = 5;
  auto last_runs = runs(kLastRuns);
  status.ledger = last_runs.ok() ? describe_ledger(*state_) : last_runs.error().line();
  if (last_runs.ok()) status.last_runs = *std::move(last_runs);
  return status;
}

Result<std::vector<SettingRow>> AccountRecipes::config(bool with_constants) {
  KNAPSACK_TRY(const Settings settings, state_->settings(Flags()));
  std::vector<SettingRow> rows = settings.rows;
  if (with_constants) {
    for (auto& row : constants()) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace knapsack

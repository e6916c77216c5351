// Engine's measuring of itself: running an evaluation, and keeping its report for who wants to look at it.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "code/parse/language.h"
#include "core/paths.h"
#include "engine/account/inspection.h"
#include "engine/engine_state.h"
#include "engine/eval/eval.h"
#include "engine/outcome/outcome_record.h"
#include "store/state_folder.h"
#include "text/parse_json.h"

namespace knapsack {
namespace {

constexpr const char* kEvalFolder = "evals";
constexpr std::string_view kEvalEnding = ".json";
constexpr size_t kKeptEvals = 12;
constexpr uint64_t kMaxEvalBytes = uint64_t{16} << 20U;

// "2026-11-15T08:00:00Z.json": names sort by time.
std::string eval_file(Timestamp made) {
  return format_rfc3339(Timestamp::from_seconds(made.seconds())) + std::string(kEvalEnding);
}

// Answers are most of a report and say nothing that a chart could show.
std::string without_answers(const std::string& report) {
  auto json = parse_ordered_json(report);
  for (auto& [name, method] : json["methods"].items()) method.erase("answers");
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

// Names of kept reports, newest first; nothing where there is no folder.
Result<std::vector<std::string>> kept_names(const FileSystem& files, const std::string& folder) {
  std::vector<std::string> names;
  const auto entries = files.list(folder);
  if (!entries.ok()) {
    if (entries.error().code == ErrorCode::kNotFound) return names;
    return entries.error();
  }
  for (const DirectoryEntry& entry : *entries) {
    if (entry.kind == FileKind::kRegular && entry.name.ends_with(kEvalEnding)) names.push_back(entry.name);
  }
  std::reverse(names.begin(), names.end());
  return names;
}

Status keep_report(Engine::State& state, const EvalReport& report) {
  KNAPSACK_TRY(const std::string above, ensure_state_folder(*state.files, state.workspace.path));
  const std::string folder = join_path(above, kEvalFolder);
  KNAPSACK_CHECK(state.files->make_directory(folder));
  KNAPSACK_CHECK(state.files->replace(join_path(folder, eval_file(state.clock->now())),
                                      without_answers(eval_report_json(report))));
  KNAPSACK_TRY(const auto names, kept_names(*state.files, folder));
  for (size_t i = kKeptEvals; i < names.size(); ++i)
    KNAPSACK_CHECK(state.files->remove(join_path(folder, names[i])));
  return ok_status();
}

// One task for each question and commit: who packs twice for one change has one.
Result<std::vector<EvalTask>> tasks_from_outcomes(Ledger& ledger) {
  KNAPSACK_TRY(const auto runs, judged_runs(ledger));
  std::vector<EvalTask> tasks;
  std::set<std::pair<std::string, std::string>> known;
  for (const JudgedRun& run : runs) {
    EvalTask task;
    task.id = fmt::format("{}-{}", run.run.record.run_id, run.run.key.repeat);
    task.repository = base_name(run.run.record.workspace);
    task.base_commit = run.change.base;
    task.query = question_of(run.run.record);
    for (const OutcomeFile& file : run.files) {
      if (file.change == FileChangeKind::kAdded || !code::detect_language(file.path, "").is_code()) continue;
      task.gold_files.push_back(file.path);
      if (!file.lines.empty()) task.gold_lines[file.path] = file.lines;
    }
    if (task.gold_files.empty() || task.base_commit.empty() || task.query.empty()) continue;
    if (known.emplace(task.base_commit, task.query).second) tasks.push_back(std::move(task));
  }
  if (tasks.empty()) {
    return Error{ErrorCode::kNotFound, "no run has an outcome that says which code was changed",
                 "tell with `knapsack outcome RUN --commit HEAD` what came of a packet"};
  }
  return tasks;
}

}  // namespace

Result<EvalReport> CodeRecipes::evaluate(EvalRequest request) {
  const bool own = request.repositories.empty();
  if (own) request.workspace = state_->workspace.path;
  request.now = state_->clock->now();
  if (request.from_outcomes) {
    KNAPSACK_TRY(const auto ledger, state_->ledger());
    KNAPSACK_TRY(request.tasks, tasks_from_outcomes(*ledger));
  }
  KNAPSACK_TRY(const Settings settings, state_->settings(Flags()));
  if (settings.search.meaning) request.model_file = state_->options.model_file;
  KNAPSACK_TRY(EvalReport report, knapsack::evaluate(*state_->files, request));
  // A repository that is only measured is only read. Who asked has the report; a chart of it that cannot be kept
  // is no reason to fail.
  const bool used = own && state_->files->info(state_->state_folder()).ok();
  if (const Status kept = used ? keep_report(*state_, report) : ok_status(); !kept.ok())
    state_->options.log.write(LogLevel::kWarning, "the report is not kept: " + kept.error().line());
  return report;
}

Result<std::vector<KeptEvalReport>> Inspection::eval_reports() const {
  const std::string folder = join_path(state_->state_folder(), kEvalFolder);
  KNAPSACK_TRY(const auto names, kept_names(*state_->files, folder));
  std::vector<KeptEvalReport> reports;
  for (const std::string& name : names) {
    if (reports.size() == kKeptEvals) break;
    const auto made = parse_rfc3339(name.substr(0, name.size() - kEvalEnding.size()));
    if (!made.ok()) continue;  // not ours
    KNAPSACK_TRY(std::string json, state_->files->read(join_path(folder, name), kMaxEvalBytes));
    reports.push_back({*made, std::move(json)});
  }
  return reports;
}

}  // namespace knapsack

// Engine::report and Engine::export_runs: what the outcomes of runs say together, and all of it for who wants to measure
// or train with it.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "core/paths.h"
#include "engine/engine_state.h"
#include "engine/line_ranges.h"
#include "engine/outcome/outcome_record.h"
#include "text/parse_json.h"

namespace knapsack {
namespace {

using nlohmann::ordered_json;

constexpr const char* kAllPeriods = "all";
constexpr const char* kReportedSources[] = {"code", "notes", "memory", "graph"};
constexpr size_t kMaxMissingShown = 20;
constexpr int64_t kSecondsPerDay = 86'400;

// The first day of the period that a time is in.
Result<std::string> period_of(Timestamp time, const std::string& by) {
  const int64_t day = time.days();
  if (by == "month") return format_rfc3339(Timestamp::from_seconds(day * kSecondsPerDay)).substr(0, 7);
  if (by != "day" && by != "week") {
    return Error{ErrorCode::kUsage, fmt::format("'{}' is not a valid period", by),
                 "choose one of day, week, month"};
  }
  // 1970-01-01 was a Thursday; weeks begin on Monday.
  const int64_t since_monday = ((day + 3) % 7 + 7) % 7;
  const int64_t first = by == "week" ? day - since_monday : day;
  return format_rfc3339(Timestamp::from_seconds(first * kSecondsPerDay)).substr(0, 10);
}

struct ReportedShare {
  uint64_t entries = 0;
  uint64_t tokens = 0;
};
std::map<std::string, ReportedShare> shares_of(const std::vector<Decision>& decisions) {
  std::map<std::string, ReportedShare> shares;
  for (const Decision& row : decisions) {
    if (!row.included || row.form.empty()) continue;
    ++shares[row.source].entries;
    shares[row.source].tokens += static_cast<uint64_t>(std::max<int64_t>(0, row.tokens));
  }
  return shares;
}

void add_run(ReportRow& row, const JudgedRun& run, const ReportedShare& share) {
  row.useful += run.verdict == "useful" ? 1 : 0;
  row.not_useful += run.verdict == "not useful" ? 1 : 0;
  row.tokens += share.tokens;
  uint64_t changed = 0, found = 0;
  for (const OutcomeFile& file : run.files) {
    if (file.change == FileChangeKind::kAdded) continue;  // was not there to be found
    ++changed;
    const bool is_code = row.source == "code";
    const bool named =
        std::find(file.named_by.begin(), file.named_by.end(), row.source) != file.named_by.end();
    found += (is_code ? file.packed : named) ? 1 : 0;
    if (!is_code || (file.packed && !file.compared)) continue;
    row.changed_lines += file.changed_lines;
    row.shown_lines += file.shown_lines;
  }
  if (changed == 0) return;  // nothing that could have been found
  ++row.runs;
  row.hits += found > 0 ? 1 : 0;
  row.changed_files += changed;
  row.found_files += found;
}

ordered_json decision_json(const Decision& row) {
  return {{"stage", row.stage},       {"source", row.source},
          {"id", row.candidate_id},   {"title", row.title},
          {"tier", row.tier},         {"section", row.section},
          {"included", row.included}, {"form", row.form},
          {"tokens", row.tokens},     {"full_tokens", row.full_tokens},
          {"score", row.score},       {"components", parse_ordered_json(row.components_json)},
          {"reason", row.reason}};
}

ordered_json judged_json(const JudgedRun& judged, const std::vector<Decision>& decisions) {
  const RunRecord& run = judged.run.record;
  ordered_json gold = ordered_json::array(), lines = ordered_json::object();
  const auto changes = parse_ordered_json(judged.change.changes_json);
  const ordered_json files =
      changes.is_object() ? changes.value("files", ordered_json::array()) : ordered_json::array();
  for (const OutcomeFile& file : judged.files) {
    if (file.change == FileChangeKind::kAdded) continue;
    gold.push_back(file.path);
    if (!file.lines.empty()) lines[file.path] = ranges_json(file.lines);
  }
  ordered_json json = {{"id", fmt::format("{}-{}", run.run_id, judged.run.key.repeat)},
                       {"repo", base_name(run.workspace)},
                       {"base_commit", judged.change.base},
                       {"query", question_of(run)},
                       {"gold_files", std::move(gold)},
                       {"gold_lines", std::move(lines)},
                       {"run",
                        {{"command", run.command},
                         {"started", format_rfc3339(run.started)},
                         {"request", parse_ordered_json(run.request_json)},
                         {"tokenizer", run.tokenizer},
                         {"budget", run.budget},
                         {"used", run.used},
                         {"status", name_of(run.status)},
                         {"version", run.program_version},
                         {"shown", parse_ordered_json(run.shown_json)}}},
                       {"outcome",
                        {{"told_by", judged.change.told_by.empty() ? "word" : judged.change.told_by},
                         {"commit", judged.change.commit},
                         {"verdict", judged.verdict},
                         {"missing", judged.missing},
                         {"files", files}}}};
  for (const Decision& row : decisions) json["decisions"].push_back(decision_json(row));
  return json;
}

}  // namespace

Result<ReportReply> AccountRecipes::report(const ReportRequest& request) {
  KNAPSACK_CHECK(period_of({}, request.by));
  KNAPSACK_TRY(const auto ledger, state_->ledger());
  KNAPSACK_TRY(const auto judged, judged_runs(*ledger));
  ReportReply reply;
  std::map<std::string, std::map<std::string, ReportRow>, std::greater<>> periods;
  for (const JudgedRun& run : judged) {
    if (request.after && run.run.record.started < *request.after) continue;
    ++reply.with_outcome;
    reply.missing.insert(reply.missing.end(), run.missing.begin(), run.missing.end());
    KNAPSACK_TRY(const std::string period, period_of(run.run.record.started, request.by));
    KNAPSACK_TRY(const auto decisions, ledger->decisions_of(run.run.key.sequence));
    for (const auto& [source, share] : shares_of(decisions)) {
      for (const std::string& each : {std::string(kAllPeriods), period}) {
        ReportRow& row = periods[each][source];
        row.period = each;
        row.source = source;
        add_run(row, run, share);
      }
    }
  }
  RunFilter filter;
  filter.limit = std::numeric_limits<int64_t>::max();
  filter.after = request.after;
  KNAPSACK_TRY(const auto runs, ledger->list_runs(filter));
  reply.runs = runs.size();
  std::reverse(reply.missing.begin(), reply.missing.end());
  if (reply.missing.size() > kMaxMissingShown) reply.missing.resize(kMaxMissingShown);
  // "all" sorts before digits in this order: letters are greater.
  for (const auto& [period, sources] : periods) {
    for (const char* source : kReportedSources)
      if (const auto found = sources.find(source); found != sources.end())
        reply.rows.push_back(found->second);
  }
  return reply;
}

Result<ExportReply> AccountRecipes::export_runs(const ReportRequest& request) {
  KNAPSACK_TRY(const auto ledger, state_->ledger());
  KNAPSACK_TRY(const auto judged, judged_runs(*ledger));
  ExportReply reply;
  for (const JudgedRun& run : judged) {
    if (request.after && run.run.record.started < *request.after) continue;
    KNAPSACK_TRY(const auto decisions, ledger->decisions_of(run.run.key.sequence));
    reply.jsonl +=
        judged_json(run, decisions).dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
    ++reply.runs;
  }
  return reply;
}

}  // namespace knapsack

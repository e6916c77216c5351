#include "engine/outcome/outcome_record.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "engine/line_ranges.h"
#include "text/json_members.h"
#include "text/parse_json.h"

namespace knapsack {

using nlohmann::ordered_json;

namespace {

constexpr std::pair<FileChangeKind, const char*> kChangeNames[] = {{FileChangeKind::kModified, "changed"},
                                                                   {FileChangeKind::kAdded, "added"},
                                                                   {FileChangeKind::kDeleted, "removed"},
                                                                   {FileChangeKind::kRenamed, "renamed"}};

const char* name_of_change(FileChangeKind change) {
  for (const auto& [each, name] : kChangeNames)
    if (each == change) return name;
  return "";
}

FileChangeKind change_called(std::string_view name) {
  for (const auto& [change, each] : kChangeNames)
    if (each == name) return change;
  return FileChangeKind::kModified;
}

}  // namespace

std::string changes_json(const std::vector<OutcomeFile>& files) {
  ordered_json rows = ordered_json::array();
  for (const OutcomeFile& file : files) {
    ordered_json row = {{"path", file.path}, {"kind", name_of_change(file.change)}, {"packed", file.packed}};
    if (!file.named_by.empty()) row["named_by"] = file.named_by;
    row["lines"] = ranges_json(file.lines);
    row["changed_lines"] = file.changed_lines;
    if (file.packed) {
      row["compared"] = file.compared;
      row["shown_lines"] = file.shown_lines;
    }
    if (!file.why.empty()) row["why"] = file.why;
    rows.push_back(std::move(row));
  }
  return ordered_json{{"files", std::move(rows)}}.dump(-1, ' ', false,
                                                       ordered_json::error_handler_t::replace);
}

std::vector<OutcomeFile> parse_changes(std::string_view text) {
  std::vector<OutcomeFile> files;
  const auto json = parse_ordered_json(text);
  if (!json.is_object() || !json.contains("files") || !json["files"].is_array()) return files;
  for (const auto& row : json["files"]) {
    if (!row.is_object()) continue;
    OutcomeFile file;
    file.path = text_member(row, "path");
    file.change = change_called(text_member(row, "kind"));
    file.packed = flag_member(row, "packed");
    for (const auto& source : row.value("named_by", ordered_json::array()))
      if (source.is_string()) file.named_by.push_back(source.get<std::string>());
    file.lines = parse_ranges(row.value("lines", ordered_json::array()));
    file.changed_lines = count_member(row, "changed_lines");
    file.shown_lines = count_member(row, "shown_lines");
    file.compared = flag_member(row, "compared");
    file.why = text_member(row, "why");
    files.push_back(std::move(file));
  }
  return files;
}

Result<std::vector<JudgedRun>> judged_runs(Ledger& ledger) {
  KNAPSACK_TRY(const auto outcomes, ledger.list_outcomes());
  std::map<int64_t, JudgedRun> by_run;
  for (const RunOutcome& outcome : outcomes) {
    auto found = by_run.find(outcome.run);
    if (found == by_run.end()) {
      KNAPSACK_TRY(StoredRun run, ledger.find_run(std::to_string(outcome.run)));
      found = by_run.emplace(outcome.run, JudgedRun{}).first;
      found->second.shown = parse_shown(run.record.shown_json);
      found->second.run = std::move(run);
    }
    JudgedRun& judged = found->second;
    if (outcome.told_by != "word") {
      judged.knows_changes = true;
      judged.change = outcome;
    }
    if (!outcome.verdict.empty()) judged.verdict = outcome.verdict;
    if (!outcome.missing.empty()) judged.missing.push_back(outcome.missing);
  }
  std::vector<JudgedRun> runs;
  for (auto& [sequence, judged] : by_run) {
    if (judged.knows_changes) judged.files = parse_changes(judged.change.changes_json);
    runs.push_back(std::move(judged));
  }
  return runs;
}

std::string question_of(const RunRecord& run) {
  const auto request = parse_ordered_json(run.request_json);
  if (!request.is_object()) return "";
  for (const char* field : {"task", "prompt", "query", "request"}) {
    const auto found = request.find(field);
    if (found != request.end() && found->is_string()) return found->get<std::string>();
  }
  return "";
}

}  // namespace knapsack

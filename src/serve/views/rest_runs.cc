#include "serve/views/rest_runs.h"

#include <algorithm>

#include "core/clock.h"
#include "core/run_status.h"
#include "serve/schema.h"
#include "text/parse_json.h"
#include "text/unicode/utf8.h"

namespace knapsack::serve {
namespace {

constexpr size_t kMaxAskedBytes = 200;

Json parsed(const std::string& json) {
  Json document = parse_ordered_json(json);
  return document.is_discarded() ? Json(json) : document;
}

// What was asked, in its own words: the task, the prompt or the query. One line of it.
std::string asked_in(const std::string& request_json) {
  const Json request = parse_ordered_json(request_json);
  for (const char* name : {"task", "prompt", "query", "request"}) {
    if (!request.is_object() || !request.contains(name) || !request.at(name).is_string()) continue;
    const std::string text = request.at(name).get<std::string>();
    const std::string_view line = std::string_view(text).substr(0, text.find('\n'));
    return std::string(utf8_prefix(line, kMaxAskedBytes));
  }
  return "";
}

Json row_of(const StoredRun& stored) {
  const RunRecord& run = stored.record;
  return {{"number", stored.key.sequence},
          {"run", run.run_id},
          {"repeat", stored.key.repeat},
          {"command", run.command},
          {"status", name_of(run.status)},
          {"used", run.used},
          {"budget", run.budget},
          {"tokenizer", run.tokenizer},
          {"started", format_rfc3339(run.started)},
          {"task_id", run.task_id},
          {"asked", asked_in(run.request_json)}};
}

Json row_of(const Decision& row) {
  return {{"stage", row.stage},
          {"source", row.source},
          {"id", row.candidate_id},
          {"title", row.title},
          {"section", row.section},
          {"included", row.included},
          {"form", row.form},
          {"tokens", row.tokens},
          {"full_tokens", row.full_tokens},
          {"score", row.score},
          {"components", row.components_json.empty() ? Json::object() : parsed(row.components_json)},
          {"reason", row.reason}};
}

Json run_schema() {
  using namespace schema;
  return object({{"number!", any_whole()},
                 {"run!", any_text()},
                 {"repeat!", any_whole()},
                 {"command!", any_text()},
                 {"status!", any_text()},
                 {"used!", any_whole()},
                 {"budget!", any_whole()},
                 {"tokenizer!", any_text()},
                 {"started!", any_text()},
                 {"task_id!", any_text()},
                 {"asked!", any_text()}});
}

}  // namespace

Json run_row(const StoredRun& stored) {
  return row_of(stored);
}

Json run_row_schema() {
  return run_schema();
}

Result<Json> list_runs(const Service& service, int64_t limit) {
  KNAPSACK_TRY(const auto engine, service.engine());
  KNAPSACK_TRY(const auto runs, engine->runs(limit));
  Json rows = Json::array();
  for (const StoredRun& run : runs) rows.push_back(row_of(run));
  return Json{{"workspace", service.workspace()}, {"runs", std::move(rows)}};
}

Result<Json> account_of(const Service& service, const std::string& run) {
  KNAPSACK_TRY(const auto engine, service.engine());
  KNAPSACK_TRY(const Explanation told, engine->explain(run));
  Json row = row_of(told.run);
  row["request"] = parsed(told.run.record.request_json);
  Json decisions = Json::array();
  const size_t shown = std::min(told.decisions.size(), kMaxDecisions);
  for (size_t i = 0; i < shown; ++i) decisions.push_back(row_of(told.decisions[i]));
  return Json{{"workspace", service.workspace()},
              {"run", std::move(row)},
              {"warnings", told.warnings},
              {"decisions", std::move(decisions)},
              {"left_out", told.decisions.size() - shown}};
}

Json runs_schema() {
  using namespace schema;
  return object({{"workspace!", any_text()}, {"runs!", rows(run_schema())}});
}

Json account_schema() {
  using namespace schema;
  Json run = run_schema();
  run["properties"]["request"] = Json::object();
  const Json any_number = {{"type", "number"}};
  return object({{"workspace!", any_text()},
                 {"run!", std::move(run)},
                 {"warnings!", texts()},
                 {"decisions!", rows(object({{"stage!", any_text()},
                                             {"source!", any_text()},
                                             {"id!", any_text()},
                                             {"title!", any_text()},
                                             {"section!", any_text()},
                                             {"included!", any_flag()},
                                             {"form!", any_text()},
                                             {"tokens!", any_whole()},
                                             {"full_tokens!", any_whole()},
                                             {"score!", any_number},
                                             {"components!", {{"type", "object"}}},
                                             {"reason!", any_text()}}))},
                 {"left_out!", any_whole()}});
}

}  // namespace knapsack::serve

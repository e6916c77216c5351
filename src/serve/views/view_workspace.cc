// The views of the workspace as a whole: what it has, and how good the ranking was when it was measured.
#include "serve/schema.h"
#include "serve/views/views.h"
#include "text/parse_json.h"

namespace knapsack::serve {
namespace {

std::string setting_of(const std::vector<SettingRow>& settings, std::string_view key) {
  for (const SettingRow& row : settings) {
    if (row.key == key) return row.value;
  }
  return "";
}

Result<Json> show_workspace(const ViewCall& call) {
  KNAPSACK_TRY(const WorkspaceStatus status, call.engine.status());
  KNAPSACK_TRY(const auto settings, call.engine.config(false));
  return Json{{"workspace", status.workspace},
              {"version", Engine::version()},
              {"code", status.code},
              {"notes", status.notes},
              {"memory", status.memory},
              {"graph", status.graph},
              {"ledger", status.ledger},
              {"budget", setting_of(settings, "pack.budget")},
              {"tokenizer", setting_of(settings, "pack.tokenizer")}};
}

Result<Json> list_evaluations(const ViewCall& call) {
  KNAPSACK_TRY(const auto kept, call.inspection.eval_reports());
  Json reports = Json::array();
  for (const KeptEvalReport& each : kept) {
    Json report = parse_ordered_json(each.json);
    if (!report.is_object()) continue;  // not one of ours any more
    reports.push_back({{"made", format_rfc3339(each.made)}, {"report", std::move(report)}});
  }
  return Json{{"reports", std::move(reports)}};
}

}  // namespace

std::vector<ViewEntry> workspace_views() {
  using namespace schema;
  return {
      {{"workspace", "What this workspace has", "", object({}),
        object({{"workspace!", any_text()},
                {"version!", any_text()},
                {"code!", any_text()},
                {"notes!", any_text()},
                {"memory!", any_text()},
                {"graph!", any_text()},
                {"ledger!", any_text()},
                {"budget!", any_text()},
                {"tokenizer!", any_text()}})},
       show_workspace},
      {{"evaluations", "The reports of `knapsack eval` on this workspace, newest first", "", object({}),
        object({{"reports!", rows(object({{"made!", any_text()}, {"report!", {{"type", "object"}}}}))}})},
       list_evaluations},
  };
}

}  // namespace knapsack::serve

// The views of the ledger: find_runs, and run_output, what a run handed out.
#include "serve/schema.h"
#include "serve/views/rest_runs.h"
#include "serve/views/views.h"

namespace knapsack::serve {
namespace {

constexpr uint64_t kFoundRuns = 200;

Status read_time(const std::string& text, std::optional<Timestamp>& time) {
  if (text.empty()) return ok_status();
  KNAPSACK_TRY(time, parse_rfc3339(text));
  return ok_status();
}

Result<Json> find_runs(const ViewCall& call) {
  RunFilter filter;
  filter.limit = static_cast<int64_t>(call.whole("limit"));
  filter.command = call.text("command");
  KNAPSACK_CHECK(read_time(call.text("since"), filter.after));
  KNAPSACK_CHECK(read_time(call.text("until"), filter.before));
  const auto below = static_cast<int64_t>(call.whole("below"));
  KNAPSACK_TRY(const RunPage page, call.inspection.runs(filter, below));
  Json rows = Json::array();
  for (const StoredRun& run : page.runs) rows.push_back(run_row(run));
  return Json{{"runs", std::move(rows)}, {"next", page.next}};
}

Result<Json> run_output(const ViewCall& call) {
  KNAPSACK_TRY(const RunOutput found, call.engine.run_output(call.text("run")));
  return Json{{"run", run_row(found.run)}, {"text", found.output}};
}

}  // namespace

std::vector<ViewEntry> run_views() {
  using namespace schema;
  return {
      {{"find_runs", "Runs of the ledger", "",
        object({{"limit", whole(1, kMaxRuns, kFoundRuns)},
                {"below", whole(0, 1ULL << 53U, 0,
                                "Only runs with a smaller number; 0: all. Continue with the reply's next")},
                {"command", text(kMaxNameCharacters, "Such as pack; empty: all")},
                {"since", text(kMaxNameCharacters, "Started then or later: 2026-11-15T08:00:00Z")},
                {"until", text(kMaxNameCharacters, "Started before")}}),
        object({{"runs!", rows(run_row_schema())}, {"next!", any_whole()}})},
       find_runs},
      {{"run_output", "The stored output of a run", "", object({{"run!", text(kMaxNameCharacters)}}),
        object({{"run!", run_row_schema()}, {"text!", any_text()}})},
       run_output},
  };
}

}  // namespace knapsack::serve

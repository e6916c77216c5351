// The ledger over HTTP: the list of runs, and the account of one. Read only; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "core/result.h"
#include "serve/service.h"

namespace knapsack::serve {

constexpr int64_t kDefaultRuns = 20;
constexpr int64_t kMaxRuns = 1000;
// Of one account; a large repository has tens of thousands of candidates in a run.
constexpr size_t kMaxDecisions = 5000;

// {"workspace", "runs": […]}
Result<Json> list_runs(const Service& service, int64_t limit);
// {"workspace", "run": {…}, "warnings": […], "decisions": […], "left_out": n}
Result<Json> account_of(const Service& service, const std::string& run);

// One run as a row of any list, and its schema.
Json run_row(const StoredRun& stored);
Json run_row_schema();

// The schemas of both.
Json runs_schema();
Json account_schema();

}  // namespace knapsack::serve

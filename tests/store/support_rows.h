// Rows to put into a ledger: every field different, so that swapped columns show.
#pragma once

#include <string>
#include <vector>

#include "store/ledger/ledger.h"

namespace knapsack::testing {

Timestamp noon(int day);  // of November 2026

RunRecord sample_run(const std::string& run_id, Timestamp started = noon(1));
std::vector<Decision> sample_decisions(size_t count, const std::string& salt = "");
std::vector<ModelCall> sample_calls(size_t count, const std::string& salt = "");
RunOutcome sample_outcome(int64_t run, const std::string& salt, Timestamp at = noon(1));
IndexRun sample_index_run(const std::string& snapshot, Timestamp started = noon(1));
Enrichment sample_enrichment(const std::string& blob, const std::string& model, const std::string& answer,
                             Timestamp at = noon(1));

}  // namespace knapsack::testing

// AccountRecipes: what runs did and what came of them. A part of Engine (engine/engine.h), which owns the state; one thread at a time.
#pragma once

#include "core/result.h"
#include "engine/api/account_requests.h"
#include "engine/api/outcome_requests.h"

namespace knapsack {

struct EngineState;

class AccountRecipes {
 public:
  Result<std::vector<StoredRun>> runs(int64_t limit);
  // What became of every candidate of a run; `expect` asks why one is (not) there. `run`: an id, a prefix,
  // a number or "latest".
  Result<Explanation> explain(const std::string& run, const std::string& expect = "");
  // What a run handed out, byte for byte; kNotFound where the ledger does not have it.
  Result<RunOutput> run_output(const std::string& run);
  // Keeps what came of a run's packet: which of its files and lines were then changed, what was changed that it had
  // left out, what somebody said of it.
  Result<OutcomeReply> outcome(const OutcomeRequest& request);
  // How often packets held what was then changed, by period and source.
  Result<ReportReply> report(const ReportRequest& request);
  // Runs with their outcomes, one JSON object a line.
  Result<ExportReply> export_runs(const ReportRequest& request);
  Result<PruneReport> prune(Timestamp before);
  Result<WorkspaceStatus> status();
  // The effective settings and where each comes from; with the constants of ranking and packing on request.
  Result<std::vector<SettingRow>> config(bool with_constants);

 protected:
  explicit AccountRecipes(EngineState& state) : state_(&state) {}
  ~AccountRecipes() = default;

 private:
  EngineState* state_;
};

}  // namespace knapsack

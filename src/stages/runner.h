// The runner: takes a task through its stages, keeping what each one left in the session.
//
// A run that was killed goes on behind the last stage that was kept; the result is the same as that of an
// undisturbed run. It knows stages by their interface only.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "stages/stage.h"
#include "store/ledger/session.h"

namespace knapsack::stages {

struct RunnerResult {
  StageContext context;
  std::vector<std::string> resumed;  // stages that an earlier run had completed
};

// `session` may be null: nothing is kept then. `start` is what the first stage is given. `kept` is called
// after each stage has been kept.
Result<RunnerResult> run_stages(const std::vector<const Stage*>& stages, const StageInput& input,
                                StageContext start, Session* session,
                                const std::function<void(std::string_view stage)>& kept = {});

}  // namespace knapsack::stages

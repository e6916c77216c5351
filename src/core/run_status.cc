#include "core/run_status.h"

namespace knapsack {

std::string_view name_of(RunStatus status) {
  switch (status) {
    case RunStatus::kOk:
      return "ok";
    case RunStatus::kEmpty:
      return "empty";
    case RunStatus::kDegraded:
      break;
  }
  return "degraded";
}

std::optional<RunStatus> parse_run_status(std::string_view name) {
  for (const RunStatus status : {RunStatus::kOk, RunStatus::kEmpty, RunStatus::kDegraded}) {
    if (name == name_of(status)) return status;
  }
  return std::nullopt;
}

}  // namespace knapsack

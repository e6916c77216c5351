// How a run was answered. Three different answers: a model's time-out is degraded, never empty.
#pragma once

#include <optional>
#include <string_view>

namespace knapsack {

enum class RunStatus { kOk, kEmpty, kDegraded };
std::string_view name_of(RunStatus status);  // "ok", "empty", "degraded"
std::optional<RunStatus> parse_run_status(std::string_view name);

}  // namespace knapsack

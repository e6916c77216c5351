// Opening the engine for commands that make an index: in a folder that holds several repositories and is none
// itself, whoever sits there is asked which one is meant. One thread.
#pragma once

#include "cli/command.h"

namespace knapsack::cli {

Result<std::unique_ptr<Engine>> open_engine_for_code(const Shared& shared, const std::string& folder = "");

}  // namespace knapsack::cli

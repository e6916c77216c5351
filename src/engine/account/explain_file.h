// Why a file of the repository is, or is not, in the packet of a retrieval: for any file, also one that no
// stage ever looked at. Private to engine/account/.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/engine_state.h"

namespace knapsack {

// One line a fact; nothing where `expect` names no file, so that it may name something else. The ledger
// answers for files that were considered, the index as it is now for all others.
Result<std::vector<std::string>> explain_file(const Engine::State& state, const Explanation& explanation,
                                              const std::string& expect);

}  // namespace knapsack

// What `status` and `doctor` say of meaning. Internal to engine/. One request, one thread.
#pragma once

#include <string>

#include "engine/engine_state.h"

namespace knapsack {

// In words: which model, by which instructions, how many memories and files of code have vectors. Creates nothing.
std::string describe_meaning(Engine::State& state, const Settings& settings);

}  // namespace knapsack

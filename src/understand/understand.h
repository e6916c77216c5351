// understand: what a text asks for, read once for everybody who takes part in answering it.
#pragma once

#include <string_view>

#include "understand/task_query.h"

namespace knapsack {

// Paths, names, traces and words of a task, in the language of the code where the question is in another; what it wants
// done, and how much it calls for of what is remembered. Pure; any thread.
TaskQuery understand(std::string_view text);

}  // namespace knapsack

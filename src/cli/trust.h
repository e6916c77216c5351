// `knapsack trust`: whether a file that came with a workspace may name places outside of it.
// Private to cli/.
#pragma once

#include "cli/command.h"

namespace knapsack::cli {

void add_trust(Command program, Shared& shared);

}  // namespace knapsack::cli

// A small workspace with something of every source.
#pragma once

#include "support/support.h"

namespace knapsack::testing {

void write_served_workspace(const TemporaryFolder& folder);

}  // namespace knapsack::testing

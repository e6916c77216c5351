// Which kernels this machine can run.
//
// Looks at the processor once; any thread.
#pragma once

#include <vector>

#include "meaning/kernels/kernels.h"

namespace knapsack::meaning {

// Best first; the portable ones are always the last.
const std::vector<const Kernels*>& runnable_kernels();

}  // namespace knapsack::meaning

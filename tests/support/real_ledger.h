// A real ledger in a folder that goes with it: what engines in tests write their runs to.
#pragma once

#include <memory>

#include "store/ledger/ledger.h"

namespace knapsack::testing {

std::shared_ptr<Ledger> make_real_ledger();

}  // namespace knapsack::testing

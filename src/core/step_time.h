// How long a step took, as replies and the ledger tell it. Plain data.
#pragma once

#include <cstdint>
#include <string>

namespace knapsack {

// How long a step took, for --stats and the ledger; never part of a packet.
struct StepTime {
  std::string step;
  int64_t micros = 0;
};

}  // namespace knapsack

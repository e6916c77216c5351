// Lines of a text. Plain data.
#pragma once

#include <cstdint>

namespace knapsack {

// Lines of a text, counted from 1, both ends included.
struct LineRange {
  uint32_t first = 0;
  uint32_t last = 0;
  bool operator==(const LineRange&) const = default;
};

}  // namespace knapsack

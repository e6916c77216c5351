// The budget that would be enough, for who is told that nothing fits.
#pragma once

#include <algorithm>
#include <cstdint>

namespace knapsack {

// The first budget above `budget` for which `shows` is true; 0 where no sensible one is.
template <class Shows>
uint64_t least_budget_above(uint64_t budget, const Shows& shows) {
  constexpr uint64_t kMaxLeast = 1 << 16;  // where not even this shows anything, nothing will
  uint64_t least = budget + 1, enough = std::max<uint64_t>(64, budget * 2);
  while (!shows(enough)) {
    if (enough >= kMaxLeast) return 0;
    least = enough + 1;
    enough *= 2;
  }
  while (least < enough) {
    const uint64_t middle = least + (enough - least) / 2;
    if (shows(middle)) {
      enough = middle;
    } else {
      least = middle + 1;
    }
  }
  return enough;
}

}  // namespace knapsack

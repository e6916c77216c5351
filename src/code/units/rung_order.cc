#include "code/units/rung_order.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace knapsack::code {

RungOrder::RungOrder(std::span<const SequenceItem> items, const UnitConstants& constants)
    : items_(items), constants_(constants), neighbours_(items.size()) {
  find_neighbours();
}

void RungOrder::find_neighbours() {
  std::vector<size_t> standing;
  for (size_t i = 0; i < items_.size(); ++i)
    if (items_[i].line > 0 && !items_[i].after && !items_[i].is_import) standing.push_back(i);
  std::sort(standing.begin(), standing.end(), [&](size_t a, size_t b) {
    return std::tie(items_[a].file, items_[a].line, a) < std::tie(items_[b].file, items_[b].line, b);
  });
  for (size_t n = 1; n < standing.size(); ++n) {
    const size_t above = standing[n - 1], below = standing[n];
    if (items_[above].file != items_[below].file) continue;
    neighbours_[above].below = below;
    neighbours_[below].above = above;
  }
}

bool RungOrder::is_beside_taken(size_t item, const std::vector<bool>& taken) const {
  const auto [above, below] = neighbours_[item];
  return (above != kNothing && taken[above]) || (below != kNothing && taken[below]);
}

std::vector<size_t> RungOrder::on_rung(uint64_t budget, size_t first, size_t last,
                                       const std::vector<bool>& taken) const {
  std::vector<size_t> order(last - first);
  std::iota(order.begin(), order.end(), first);
  const auto tokens = static_cast<double>(budget);
  const double beside = tokens >= constants_.beside_from ? constants_.beside : 0;
  const double deeper = tokens >= constants_.deeper_from ? constants_.deeper : 0;
  if (beside == 0 && deeper == 0) return order;

  std::vector<double> keys;
  for (const size_t i : order) {
    const size_t unit = items_[i].after.value_or(i);
    keys.push_back(items_[i].key + deeper * items_[unit].file_score +
                   (is_beside_taken(unit, taken) ? beside : 0));
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return keys[a - first] > keys[b - first]; });
  return order;
}

}  // namespace knapsack::code

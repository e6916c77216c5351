#include "core/nearest.h"

#include <algorithm>
#include <numeric>

namespace knapsack {
namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[b.size()];
}

struct Near {
  std::string name;
  size_t distance = SIZE_MAX;
};

Near find_nearest(std::string_view typed, const std::vector<std::string>& known) {
  typed = typed.substr(0, 200);  // nobody mistypes more than that
  Near best;
  for (const auto& name : known) {
    const size_t distance = edit_distance(typed, name);
    if (distance < best.distance) best = {name, distance};
  }
  return best;
}

}  // namespace

std::string nearest_name(std::string_view typed, const std::vector<std::string>& known) {
  return find_nearest(typed, known).name;
}

std::string close_name(std::string_view typed, const std::vector<std::string>& known) {
  Near near = find_nearest(typed, known);
  const size_t most = std::min(std::max<size_t>(2, typed.size() / 3), typed.size() / 2);
  return near.distance <= most ? std::move(near.name) : "";
}

}  // namespace knapsack

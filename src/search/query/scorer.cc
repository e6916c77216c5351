#include "search/query/scorer.h"

#include <algorithm>
#include <cmath>

namespace knapsack::search {

Status check_scorer(const Scorer& scorer) {
  const auto refuse = [](std::string what) { return Error{ErrorCode::kUsage, std::move(what), ""}; };
  if (!std::isfinite(scorer.k1) || scorer.k1 < 0) return refuse("k1 must be zero or more");
  if (!std::isfinite(scorer.b) || scorer.b < 0 || scorer.b > 1) return refuse("b must be between 0 and 1");
  for (const double weight : scorer.field_weights) {
    if (!std::isfinite(weight) || weight < 0) return refuse("a field's weight must be zero or more");
  }
  if (scorer.pool_units == 0) return refuse("pool_units must be at least 1");
  return ok_status();
}

double inverse_frequency(double total, double holding) {
  const double n = std::clamp(holding, 0.0, total);
  return std::log(1 + (total - n + 0.5) / (n + 0.5));
}

}  // namespace knapsack::search

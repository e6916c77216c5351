// A score that can be explained. Plain data.
#pragma once

#include <string>
#include <vector>

namespace knapsack {

// A sum of named parts, so that every score can be explained.
struct ScoreComponent {
  std::string name;
  double value = 0;
};
struct Score {
  double total = 0;
  std::vector<ScoreComponent> components;
};

}  // namespace knapsack

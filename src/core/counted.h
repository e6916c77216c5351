// A number with the word that goes with it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace knapsack {

// "1 task", "2 tasks"
inline std::string counted(uint64_t number, std::string_view one) {
  return std::to_string(number).append(" ").append(one).append(number == 1 ? "" : "s");
}
// "1 memory", "2 memories"
inline std::string counted(uint64_t number, std::string_view one, std::string_view several) {
  return std::to_string(number).append(" ").append(number == 1 ? one : several);
}

}  // namespace knapsack

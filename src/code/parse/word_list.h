// Whether a word stands in a fixed list, or ends with one of it. Pure functions.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace knapsack::code {

template <size_t N>
bool is_one_of(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

template <size_t N>
bool ends_with_one_of(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view end) { return word.ends_with(end); });
}

}  // namespace knapsack::code

// Numbers as people read them.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace knapsack::cli {

// 1234567 → "1,234,567"
inline std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

// "1 file", "2,000 files"
inline std::string counted(uint64_t number, std::string_view thing) {
  return fmt::format("{} {}{}", grouped(number), thing, number == 1 ? "" : "s");
}
// "1 memory", "2 memories"
inline std::string counted(uint64_t number, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", grouped(number), number == 1 ? one : several);
}

// "812 bytes", "3.4 kB", "21.0 MB"
inline std::string bytes_in_words(uint64_t bytes) {
  if (bytes < 1000) return counted(bytes, "byte");
  if (bytes < 1'000'000) return fmt::format("{:.1f} kB", static_cast<double>(bytes) / 1e3);
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

}  // namespace knapsack::cli

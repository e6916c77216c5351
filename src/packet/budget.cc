#include "packet/budget.h"

#include <fmt/format.h>

#include <charconv>

namespace knapsack {

Result<uint64_t> parse_budget(std::string_view text, std::string_view origin, ErrorCode code) {
  uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool number = end == text.data() + text.size() && !text.empty();
  if (number && problem == std::errc() && value <= kMaxBudget) return value;
  std::string what = fmt::format("{} '{}' is not a token budget", origin, text);
  if (text.starts_with('-')) what = fmt::format("{} '{}' is negative", origin, text);
  if (number) what = fmt::format("{} '{}' is too large", origin, text);
  return Error{code, what, fmt::format("give a whole number of tokens from 0 to {}", kMaxBudget)};
}

std::string shown_budget(uint64_t budget) {
  return budget < kMaxBudget ? std::to_string(budget) : "none";
}

}  // namespace knapsack

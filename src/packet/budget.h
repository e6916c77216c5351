// Token budgets as a person writes and reads them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.h"

namespace knapsack {

class TokenCounter;

// What a packet may cost, and what counts it.
struct Budget {
  uint64_t tokens = 0;
  const TokenCounter* counter = nullptr;
};

// Far above any model's window, far below what could overflow when counted in bytes. It stands for no budget.
inline constexpr uint64_t kMaxBudget = 1'000'000'000;

// A whole number from 0 to kMaxBudget; `origin` names where the text came from ("--budget",
// "CTX_TOKEN_BUDGET").
Result<uint64_t> parse_budget(std::string_view text, std::string_view origin,
                              ErrorCode code = ErrorCode::kUsage);

// "2000"; "none" where there is no budget.
std::string shown_budget(uint64_t budget);

}  // namespace knapsack

// The known name that a mistyped one most likely meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace knapsack {

// By edit distance, then in the given order; empty when nothing is known.
std::string nearest_name(std::string_view typed, const std::vector<std::string>& known);

// The same where the slip is a small one: a third of the letters at most, or two. Empty otherwise.
std::string close_name(std::string_view typed, const std::vector<std::string>& known);

}  // namespace knapsack

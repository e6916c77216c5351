// Irregular forms: the words that stemming does not bring together, such as "go" and "went".
//
// English verbs and plurals, and the Russian words whose root changes. Read-only; any thread.
#pragma once

#include <span>
#include <string_view>

namespace knapsack {

// All forms of the family that a lower-cased word belongs to, itself among them; empty for a regular word.
std::span<const std::string_view> irregular_forms(std::string_view word);

}  // namespace knapsack

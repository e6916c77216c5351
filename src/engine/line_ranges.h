// Ranges of lines as JSON, [[first, last], …], and what two lists of them have in common. Pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "packet/candidate.h"

namespace knapsack {

nlohmann::ordered_json ranges_json(std::span<const LineRange> ranges);
// What is no such list gives none.
std::vector<LineRange> parse_ranges(const nlohmann::ordered_json& json);

uint64_t count_lines(std::span<const LineRange> ranges);
// How many lines of `some` are in `others` too; each list is sorted and does not overlap itself.
uint64_t count_shared(std::span<const LineRange> some, std::span<const LineRange> others);

}  // namespace knapsack

#include "engine/line_ranges.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace knapsack {

nlohmann::ordered_json ranges_json(std::span<const LineRange> ranges) {
  auto json = nlohmann::ordered_json::array();
  for (const LineRange range : ranges) json.push_back({range.first, range.last});
  return json;
}

std::vector<LineRange> parse_ranges(const nlohmann::ordered_json& json) {
  std::vector<LineRange> ranges;
  for (const auto& range : json) {
    if (!range.is_array() || range.size() != 2 || !range[0].is_number_unsigned() ||
        !range[1].is_number_unsigned())
      return {};
    ranges.push_back({range[0].get<uint32_t>(), range[1].get<uint32_t>()});
  }
  return ranges;
}

uint64_t count_lines(std::span<const LineRange> ranges) {
  uint64_t lines = 0;
  for (const LineRange range : ranges) lines += range.last - range.first + 1;
  return lines;
}

uint64_t count_shared(std::span<const LineRange> some, std::span<const LineRange> others) {
  uint64_t shared = 0;
  for (const LineRange one : some) {
    for (const LineRange other : others) {
      const uint32_t first = std::max(one.first, other.first), last = std::min(one.last, other.last);
      if (first <= last) shared += last - first + 1;
    }
  }
  return shared;
}

}  // namespace knapsack

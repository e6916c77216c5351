#include "core/split.h"

#include "core/ascii.h"

namespace knapsack {

std::vector<std::string> comma_list(std::string_view text) {
  std::vector<std::string> parts;
  for_each_part(text, ",", [&](std::string_view part) {
    part = trim(part);
    if (!part.empty()) parts.emplace_back(part);
  });
  return parts;
}

std::string replace_all(std::string_view text, std::string_view from, std::string_view to) {
  std::string replaced;
  bool is_first = true;
  for_each_part(text, from, [&](std::string_view part) {
    if (!is_first) replaced += to;
    replaced += part;
    is_first = false;
  });
  return replaced;
}

}  // namespace knapsack

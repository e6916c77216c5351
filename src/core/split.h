// Texts in parts, and parts as a text. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace knapsack {

// Calls visit(part) for what stands between the separators.
template <class Visit>
void for_each_part(std::string_view text, std::string_view separator, Visit visit) {
  for (;;) {
    const size_t end = text.find(separator);
    visit(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + separator.size());
  }
}

// What stands between commas, without blanks around it; empty parts are passed over.
std::vector<std::string> comma_list(std::string_view text);

// All `from` replaced by `to`.
std::string replace_all(std::string_view text, std::string_view from, std::string_view to);

}  // namespace knapsack

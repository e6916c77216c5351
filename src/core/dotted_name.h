// Names in parts, as text: nothing is looked up. Pure functions.
#pragma once

#include <string_view>

namespace knapsack {

// "shop.Cart.total" → "total": what follows the last dot.
inline std::string_view last_part(std::string_view dotted) {
  return dotted.substr(dotted.rfind('.') + 1);
}

// "shop.Cart.total" → "shop.Cart": what comes before the last dot; empty without one.
inline std::string_view parent_part(std::string_view dotted) {
  const size_t dot = dotted.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : dotted.substr(0, dot);
}

// What languages write between the parts of a name.
inline constexpr std::string_view kNameSeparators = ".:#\\>";

// "shop::Cart#total" → "total", whatever the language writes in between; a name that ends so is its own.
inline std::string_view last_name(std::string_view name) {
  const size_t last = name.find_last_of(kNameSeparators);
  return last == std::string_view::npos || last + 1 == name.size() ? name : name.substr(last + 1);
}

// "shop::Cart.total" → "Cart"; empty for a plain name.
inline std::string_view owner_name(std::string_view name) {
  const std::string_view plain = last_name(name);
  if (plain.size() == name.size()) return {};
  std::string_view rest = name.substr(0, name.size() - plain.size());
  while (!rest.empty() && (rest.back() == '-' || kNameSeparators.find(rest.back()) != std::string_view::npos))
    rest.remove_suffix(1);
  return last_name(rest);
}

}  // namespace knapsack

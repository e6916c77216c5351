// StringHash: looks texts up in a table of strings without a copy of them. Pure.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace knapsack {

// For std::unordered_map<std::string, Value, StringHash, std::equal_to<>>.
struct StringHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

}  // namespace knapsack

// A line of a stack trace, as far as reading it tells: the file may not exist here. Plain data.
#pragma once

#include <cstdint>
#include <string>

namespace knapsack {

struct StackFrame {
  std::string path;      // with '/'
  uint32_t line = 0;     // 0: not told
  std::string function;  // may be empty
  bool operator==(const StackFrame&) const = default;
};

}  // namespace knapsack

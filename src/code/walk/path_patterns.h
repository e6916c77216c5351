// Which files somebody wants to be asked about, as they say it. Plain data; no thread rule.
#pragma once

#include <string>
#include <vector>

namespace knapsack::code {

// Patterns as a .gitignore has them.
struct PathPatterns {
  std::vector<std::string> only;     // any of them; none: all files
  std::vector<std::string> without;  // none of them
  bool no_tests = false;

  bool empty() const { return only.empty() && without.empty() && !no_tests; }
};

}  // namespace knapsack::code

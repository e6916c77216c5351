// PathChoice: which files somebody wants to be asked about, in patterns as a .gitignore has them.
//
// Immutable; safe to share between threads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "code/ignore.h"

namespace knapsack::code {

struct PathPatterns {
  std::vector<std::string> only;     // any of them; none: all files
  std::vector<std::string> without;  // none of them
  bool no_tests = false;

  bool empty() const { return only.empty() && without.empty() && !no_tests; }
};

class PathChoice {
 public:
  explicit PathChoice(const PathPatterns& patterns);
  // A pattern that fits a folder fits everything below it.
  bool holds(const std::string& path) const;

 private:
  std::unique_ptr<const IgnoreRules> only_, without_;  // null for none
  bool no_tests_ = false;
};

}  // namespace knapsack::code

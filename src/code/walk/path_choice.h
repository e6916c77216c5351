// PathChoice: which files somebody wants to be asked about, in patterns as a .gitignore has them.
//
// Immutable; safe to share between threads.
#pragma once

#include <memory>
#include <string>

#include "code/walk/ignore.h"
#include "code/walk/path_patterns.h"

namespace knapsack::code {

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

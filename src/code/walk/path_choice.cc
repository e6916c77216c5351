#include "code/walk/path_choice.h"

#include <fmt/format.h>

#include "code/walk/file_class.h"

namespace knapsack::code {
namespace {

std::unique_ptr<const IgnoreRules> rules_of(const std::vector<std::string>& patterns) {
  if (patterns.empty()) return nullptr;
  return std::make_unique<const IgnoreRules>(fmt::format("{}\n", fmt::join(patterns, "\n")));
}

bool fits(const IgnoreRules& rules, std::string_view path) {
  for (size_t end = path.find('/'); end != std::string_view::npos; end = path.find('/', end + 1))
    if (rules.match(path.substr(0, end), true) == IgnoreVerdict::kIgnored) return true;
  return rules.match(path, false) == IgnoreVerdict::kIgnored;
}

}  // namespace

PathChoice::PathChoice(const PathPatterns& patterns)
    : only_(rules_of(patterns.only)), without_(rules_of(patterns.without)), no_tests_(patterns.no_tests) {}

bool PathChoice::holds(const std::string& path) const {
  if (only_ && !fits(*only_, path)) return false;
  if (without_ && fits(*without_, path)) return false;
  return !no_tests_ || !is_test_path(path);
}

}  // namespace knapsack::code

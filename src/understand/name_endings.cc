#include "understand/name_endings.h"

#include "core/ascii.h"

namespace knapsack {

char name_mark(std::string_view name, std::string_view behind) {
  if (behind.empty() || (behind[0] != '!' && behind[0] != '?')) return '\0';
  if (name.empty() || !(ascii::is_lower(name[0]) || name[0] == '_')) return '\0';
  const std::string_view rest = behind.substr(1);
  if (rest.empty()) return behind[0];
  const bool goes_on = ascii::is_identifier(rest[0]) || rest[0] == '=' || rest[0] == '!' || rest[0] == '?';
  return goes_on || rest.starts_with("->") ? '\0' : behind[0];
}

size_t arity_size(std::string_view behind) {
  constexpr size_t kMaxDigits =
      2;  // a function of the BEAM has 255 arguments at most, and one that people write far fewer
  if (!behind.starts_with('/')) return 0;
  const size_t digits = ascii::leading_digits(behind.substr(1, kMaxDigits + 1)).size();
  if (digits == 0 || digits > kMaxDigits) return 0;
  const std::string_view rest = behind.substr(1 + digits);
  if (rest.empty()) return 1 + digits;
  if (ascii::is_identifier(rest[0]) || std::string_view("/\\+@~%").find(rest[0]) != ascii::kNone) return 0;
  // "/3." ends a sentence and "/3.1" is a version.
  const bool joins = rest[0] == '.' || rest[0] == '-' || rest[0] == ':';
  return joins && rest.size() > 1 && ascii::is_identifier(rest[1]) ? 0 : 1 + digits;
}

}  // namespace knapsack

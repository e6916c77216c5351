#include "code/toml_config.h"

#include <string>
#include <string_view>

#include "code/source_text.h"

namespace knapsack::code {
namespace {

// More brackets inside each other, or more parts in a dotted key, than kMaxConfigNesting: the library frees
// nested tables by recursion.
bool nests_too_deep(std::string_view text) {
  size_t depth = 0;
  size_t dots = 0;  // in the run of key characters so far
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\') {
        ++i;
      } else if (c == quote || c == '\n') {
        quote = 0;
      }
      continue;
    }
    if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
    if (c == '.') {
      ++dots;
    } else if (!is_identifier(c) && c != '-' && c != '"' && c != '\'' && c != ' ' && c != '\t') {
      dots = 0;
    }
    if (depth > kMaxConfigNesting || dots > kMaxConfigNesting) return true;
  }
  return false;
}

}  // namespace

std::optional<toml::table> read_toml(ConfigReader& configs, uint32_t file) {
  const std::optional<std::string> bytes = configs.text(file);
  if (!bytes) return std::nullopt;
  if (nests_too_deep(*bytes)) {
    configs.note(file, "nests too deep");
    return std::nullopt;
  }
  try {
    return toml::table(toml::parse(*bytes));
  } catch (const toml::parse_error&) {
    configs.note(file, "is not TOML");
    return std::nullopt;
  }
}

}  // namespace knapsack::code

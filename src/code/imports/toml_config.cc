#include "code/imports/toml_config.h"

#include <string>

#include "text/toml_depth.h"

namespace knapsack::code {
std::optional<toml::table> read_toml(ConfigReader& configs, uint32_t file) {
  const std::optional<std::string> bytes = configs.text(file);
  if (!bytes) return std::nullopt;
  if (!toml_refusal(*bytes, kMaxConfigNesting).empty()) {
    configs.note(file, toml_nests_deeper_than(*bytes, kMaxConfigNesting) ? "nests too deep" : "is not TOML");
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

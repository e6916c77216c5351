// Any bytes as TOML: what is let through to the library is no deeper than was promised, and adding a table to
// a client's file keeps every other byte.
#include <toml++/toml.h>

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "clients/toml_edit.h"
#include "text/toml_depth.h"

namespace {

size_t depth_of(const toml::node& root) {
  size_t deepest = 0;
  std::vector<std::pair<const toml::node*, size_t>> left = {{&root, 0}};
  while (!left.empty()) {
    const auto [node, depth] = left.back();
    left.pop_back();
    deepest = depth > deepest ? depth : deepest;
    if (const auto* table = node->as_table()) {
      for (const auto& [key, value] : *table) left.emplace_back(&value, depth + 1);
    } else if (const auto* list = node->as_array()) {
      for (const auto& value : *list) left.emplace_back(&value, depth + 1);
    }
  }
  return deepest;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kLevels = 12;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (knapsack::toml_refusal(text, kLevels).empty()) {
    try {
      // A value below the last table is one level more.
      if (depth_of(toml::parse(text)) > kLevels + 2) std::abort();
    } catch (const toml::parse_error&) {
    }
  }
  const knapsack::clients::TomlTable table{{"mcp_servers", "knapsack"},
                                           {"command = \"knapsack\"", "args = [\"mcp\"]"}};
  if (const auto state = knapsack::clients::find_table(text, "file", table); state.ok())
    (void)knapsack::clients::add_table(text, "file", table).ok();
  return 0;
}

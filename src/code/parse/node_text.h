// What a syntax node spans in its file. Pure functions.
// Private to code/parse/.
#pragma once

#include <tree_sitter/api.h>

#include <cstdint>
#include <string_view>

#include "code/parse/source_text.h"

namespace knapsack::code {

inline TSNode field(TSNode node, std::string_view name) {
  return ts_node_child_by_field_name(node, name.data(), static_cast<uint32_t>(name.size()));
}

inline std::string_view text_of(TSNode node, std::string_view bytes) {
  const uint32_t start = ts_node_start_byte(node);
  const uint32_t end = ts_node_end_byte(node);
  return start <= end && end <= bytes.size() ? bytes.substr(start, end - start) : std::string_view();
}

// 1-based.
inline uint32_t line_of(TSNode node) {
  return ts_node_start_point(node).row + 1;
}

struct NodeEnd {
  uint32_t byte = 0;
  uint32_t line = 0;
};

// Without the line break or blank lines that some grammars count as part of a node.
inline NodeEnd trimmed_end(TSNode node, std::string_view bytes) {
  NodeEnd end = {ts_node_end_byte(node), ts_node_end_point(node).row + 1};
  const uint32_t start = ts_node_start_byte(node);
  while (end.byte > start && is_space(bytes[end.byte - 1])) {
    if (bytes[end.byte - 1] == '\n') --end.line;
    --end.byte;
  }
  return end;
}

}  // namespace knapsack::code

// Paths that a text names: "cart.py", "shop/cart.py:12", "src\shop\cart.py", "`src/shop/`".
//
// A name is taken for a file by its extension, for a folder only where something else says so (a known root
// such as src/, a slash behind it, backticks): "and/or", "3.11.2", "example.com", "text/html" and "Node.js"
// are none. Nothing is looked up. Linear; pure functions; any thread.
#pragma once

#include <string_view>
#include <vector>

#include "understand/task_query.h"

namespace knapsack {

constexpr size_t kMaxPathBytes = 400;  // longer runs of path characters are data

struct PathMention {
  size_t begin = 0;  // where it stands in the text, its line number included
  size_t end = 0;
  PathHint hint;
};

// The paths of a text without links, in its order; at most `max_paths`. In code only what can hardly be
// anything else counts: `response.json` is a path between sentences and a field between statements.
std::vector<PathMention> find_paths(std::string_view text, SegmentKind kind, size_t max_paths);

}  // namespace knapsack

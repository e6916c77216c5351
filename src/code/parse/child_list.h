// The children of a node, read once and shared by every pattern that looks at them.
//
// Moving a tree-sitter cursor is what a walk spends its time on, so each node's children are listed once into
// an arena; the walk and the matcher both read the list. One lister a thread.
// Private to code/parse/.
#pragma once

#include <tree_sitter/api.h>

#include <cstdint>
#include <vector>

namespace knapsack::code {

struct Child {
  TSNode node = {};
  TSSymbol symbol = 0;
  TSFieldId field = 0;
  bool is_named = false;
  bool is_extra = false;
};

// A run of children in an arena; indices, because the arena moves as it grows.
struct ChildRange {
  uint32_t begin = 0;
  uint32_t end = 0;
};

class ChildLister {
 public:
  ChildLister() = default;
  ~ChildLister() {
    if (has_cursor_) ts_tree_cursor_delete(&cursor_);
  }
  ChildLister(const ChildLister&) = delete;
  ChildLister& operator=(const ChildLister&) = delete;

  // Appends the children of a node. Fields cost a little more; without them every field is 0.
  ChildRange list(TSNode node, bool with_fields, std::vector<Child>& arena) {
    ChildRange range = {static_cast<uint32_t>(arena.size()), static_cast<uint32_t>(arena.size())};
    if (ts_node_child_count(node) == 0) return range;
    if (has_cursor_) {
      ts_tree_cursor_reset(&cursor_, node);
    } else {
      cursor_ = ts_tree_cursor_new(node);
      has_cursor_ = true;
    }
    bool more = ts_tree_cursor_goto_first_child(&cursor_);
    for (; more; more = ts_tree_cursor_goto_next_sibling(&cursor_)) {
      const TSNode child = ts_tree_cursor_current_node(&cursor_);
      arena.push_back({child, ts_node_symbol(child),
                       with_fields ? ts_tree_cursor_current_field_id(&cursor_) : TSFieldId{0},
                       ts_node_is_named(child), ts_node_is_extra(child)});
    }
    range.end = static_cast<uint32_t>(arena.size());
    return range;
  }

 private:
  TSTreeCursor cursor_ = {};
  bool has_cursor_ = false;
};

}  // namespace knapsack::code

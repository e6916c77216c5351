// List items: the rules, tasks and conventions of a notes folder are all written as Markdown lists.
//
// An item owns its wrapped lines, its nested lists and its fenced examples. Nothing in a fence is an item.
// Private to notes/.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "text/markdown/markdown_lines.h"

namespace knapsack::notes {

enum class Box { kNone, kOpen, kDone, kSkipped };

struct ListItem {
  Box box = Box::kNone;
  std::string text;     // marker and box removed, wrapped lines joined, nested lines kept as lines
  size_t line = 0;      // where it starts
  size_t last = 0;      // where it ends: all lines between are its own
  std::string heading;  // the nearest heading above it
};

// Items with a checkbox. Boxes nested in an open one belong to it; open boxes nested in a finished one stand
// for themselves, because unfinished work must not vanish with a ticked parent.
std::vector<ListItem> boxed_items(std::span<const Line> lines);

// Top-level items, with or without a box.
std::vector<ListItem> bullet_items(std::span<const Line> lines);

}  // namespace knapsack::notes

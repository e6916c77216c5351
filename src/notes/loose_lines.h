// Loose lines: what a page of notes holds outside of the items and entries that were read of it.
//
// Paragraphs, rows of tables and list items that nobody asked for come out as blocks; each says whether it only introduces
// what follows it. What cannot be read as either (a fence, a quotation) comes out as it is, so that somebody can say that it was
// not read. Pure functions; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "text/markdown_lines.h"

namespace knapsack::notes {

struct LineRange {
  size_t first = 0, last = 0;  // numbers of lines, both included
};

enum class LooseKind { kProse, kItem, kRow, kOther };

struct LooseBlock {
  LooseKind kind = LooseKind::kProse;
  std::string text;  // a paragraph or an item joined; the cells of a row with " | " between
  LineRange lines;
  bool introduces = false;  // a heading or a list follows, or it ends with a colon
};

// In the order of the page. Headings, separators, index lists and what is covered are not among them.
std::vector<LooseBlock> loose_blocks(std::span<const Line> lines, const std::vector<LineRange>& covered);

}  // namespace knapsack::notes

// What a page holds beside its lists and entries: paragraphs and rows of tables, so that nothing of it is silently
// unread.
//
// Headings, separators, blank lines and fenced examples are no content of a page. Pure functions; no thread rule.
// Private to notes/.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "text/markdown/markdown_lines.h"

namespace knapsack::notes {

struct Paragraph {
  std::string text;  // wrapped lines joined; of a row "Column: cell; Column: cell"
  size_t first = 0, last = 0;
  bool row = false;     // of a table
  std::string heading;  // the nearest heading above it
};

// In the order of the page. The heading and the rule of a table are none.
std::vector<Paragraph> paragraphs_of(std::span<const Line> lines);

// The lines with those of these ranges made blank.
std::vector<Line> without_ranges(std::span<const Line> lines,
                                 const std::vector<std::pair<size_t, size_t>>& ranges);

// "lines 3-5, 9"
std::string lines_in_words(const std::vector<Paragraph>& paragraphs);

}  // namespace knapsack::notes

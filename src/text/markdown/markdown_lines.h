// Markdown as lines: what every reader and printer of notes starts from.
//
// HTML comments and index blocks are gone, lines inside code fences are marked, line ends are one byte. A
// comment or fence that is never closed is ordinary text, so that a slip of the pen hides nothing; so is a comment
// that begins behind other text and would reach over a heading or into another list item. "\<!--" opens none. What
// hides dated headings all the same is named by hidden_entries(). Works in linear time.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ascii.h"

namespace knapsack {

struct Line {
  std::string_view text;  // without its line end; comments cut out
  size_t number = 0;      // 1-based, in the file
  bool fenced = false;    // inside a code fence, its two markers included

  bool blank() const;
  size_t indent() const;  // columns of leading white space, a tab reaching to the next multiple of 4
  std::string_view trimmed() const;
};

// The lines of a text, and the text: its lines are views of it.
class MarkdownLines {
 public:
  const Line* begin() const { return data(); }
  const Line* end() const { return data() + size(); }
  const Line* data() const { return lines_.data(); }
  size_t size() const { return lines_.size(); }
  // Where headings with a date stand that a comment, an index block or a fence hides.
  const std::vector<size_t>& hidden_entries() const { return hidden_entries_; }

 private:
  friend class LineReader;
  std::unique_ptr<const std::string> text_;  // stays where it is when its owner moves
  std::deque<std::string> cut_lines_;        // those that a comment was cut out of; they stay too
  std::vector<Line> lines_;
  std::vector<size_t> hidden_entries_;
};

// `text` must be valid UTF-8 (text/unicode/utf8.h).
MarkdownLines read_lines(std::string text);

// "## Title" gives 2 and "Title"; level 0 when the line is no heading (or stands in a fence).
struct Heading {
  int level = 0;
  std::string title;
};
Heading heading_of(const Line& line);

// "---", "***", "_ _ _"
bool is_separator(const Line& line);

// The marks that a code fence opens with, and that its end must match.
struct Fence {
  char mark = 0;
  size_t length = 0;
};
// Of a line that opens a fence: three or more ` or ~ behind white space (or a list marker's), no ` after
// them.
std::optional<Fence> opening_fence(std::string_view line);
bool closes_fence(std::string_view line, Fence fence);

// True when anything but headings, separators and white space is left.
bool holds_content(std::span<const Line> lines);

}  // namespace knapsack

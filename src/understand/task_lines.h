// TaskLines: the lines of a text one after the other, HTML comments cut out; "\n", "\r\n" and "\r" end a
// line.
//
// A comment that is never closed is text, and so is one that stands in `inline code`. Linear: the search for
// the end of a comment that fails once is not repeated. The text must outlive the reader; a line lasts until
// the next.
// Private to understand/.
#pragma once

#include <string>
#include <string_view>

namespace knapsack {

class TaskLines {
 public:
  explicit TaskLines(std::string_view text) : rest_(text) {}

  // False at the end. Comments are cut unless `cut_comments` is false (inside of code).
  bool next(std::string_view& line, bool cut_comments);

 private:
  std::string_view take_line();
  size_t find_comment(std::string_view line) const;

  std::string_view rest_;
  std::string joined_;           // a line that a comment was cut out of
  bool no_more_closes_ = false;  // "-->" does not stand in the rest
};

}  // namespace knapsack

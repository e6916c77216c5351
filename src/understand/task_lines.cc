#include "understand/task_lines.h"

#include <algorithm>

namespace knapsack {
namespace {

constexpr std::string_view kOpen = "<!--";
constexpr std::string_view kClose = "-->";

// How many bytes the line end takes that stands here.
size_t line_end_size(std::string_view text) {
  if (text.empty()) return 0;
  return text.starts_with("\r\n") ? 2 : 1;
}

}  // namespace

std::string_view TaskLines::take_line() {
  const std::string_view line = rest_.substr(0, rest_.find_first_of("\r\n"));
  rest_.remove_prefix(line.size());
  rest_.remove_prefix(line_end_size(rest_));
  return line;
}

size_t TaskLines::find_comment(std::string_view line) const {
  const auto ticks = [line](size_t from, size_t to) {
    return std::count(line.begin() + static_cast<std::ptrdiff_t>(from),
                      line.begin() + static_cast<std::ptrdiff_t>(to), '`');
  };
  std::ptrdiff_t before = 0;
  size_t counted = 0;
  for (size_t at = line.find(kOpen); at != std::string_view::npos; at = line.find(kOpen, at + 1)) {
    before += ticks(counted, at);
    counted = at;
    if (before % 2 == 0) return at;
  }
  return std::string_view::npos;
}

bool TaskLines::next(std::string_view& line, bool cut_comments) {
  if (rest_.empty()) return false;
  const char* begin = rest_.data();
  line = take_line();
  if (!cut_comments || no_more_closes_) return true;
  size_t open = find_comment(line);
  if (open == std::string_view::npos) return true;
  joined_.clear();
  while (open != std::string_view::npos && !no_more_closes_) {
    // The comment may reach over lines: back to where it begins, and on from where it ends.
    const char* end = rest_.data() + rest_.size();
    const char* comment = line.data() + open;
    const std::string_view behind(comment, static_cast<size_t>(end - comment));
    const size_t close = behind.find(kClose, kOpen.size());
    if (close == std::string_view::npos) {
      no_more_closes_ = true;
      break;
    }
    joined_.append(line.substr(0, open));
    rest_ = behind.substr(close + kClose.size());
    line = take_line();
    open = find_comment(line);
  }
  if (!joined_.empty() || line.data() != begin) {
    joined_.append(line);
    line = joined_;
  }
  return true;
}

}  // namespace knapsack

#include "code/units/comment_lines.h"

#include <algorithm>
#include <string_view>

#include "core/ascii.h"

namespace knapsack::code {
namespace {

constexpr std::string_view kTextBlock = "\"\"\"";  // of an attribute: `@doc """`

// What ends the comment that begins with this line; empty where none begins, or where it ends there too.
std::string_view closed_by(std::string_view line, const Language& language) {
  const size_t gap = language.block_comment.find(' ');
  if (gap != std::string_view::npos && line.starts_with(language.block_comment.substr(0, gap))) {
    const std::string_view close = language.block_comment.substr(gap + 1);
    return line.find(close, gap) == std::string_view::npos ? close : "";
  }
  const bool is_attribute = line.starts_with('@') && line.ends_with(kTextBlock);
  return is_attribute && line.find(kTextBlock) == line.size() - kTextBlock.size() ? kTextBlock : "";
}

}  // namespace

std::vector<bool> lines_of_comments(const TextLines& text, const Language& language) {
  std::vector<bool> inside(text.count(), false);
  std::vector<std::string_view> never_closed;  // looked for once
  for (uint32_t number = 1; number <= text.count(); ++number) {
    const std::string_view close = closed_by(ascii::trim_space(text.line(number)), language);
    if (close.empty() || std::find(never_closed.begin(), never_closed.end(), close) != never_closed.end())
      continue;
    uint32_t last = number + 1;
    while (last <= text.count() && text.line(last).find(close) == std::string_view::npos) ++last;
    if (last > text.count()) {
      never_closed.push_back(close);
      continue;
    }
    std::fill(inside.begin() + (number - 1), inside.begin() + last, true);
    number = last;
  }
  return inside;
}

}  // namespace knapsack::code

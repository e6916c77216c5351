#include "text/markdown/markdown_lines.h"

#include <algorithm>
#include <array>
#include <optional>

namespace knapsack {
namespace {

constexpr std::string_view kCommentOpen = "<!--";
constexpr std::string_view kCommentClose = "-->";
constexpr std::string_view kIndexStart = "<!-- INDEX:START -->";
constexpr std::string_view kIndexEnd = "<!-- INDEX:END -->";
constexpr std::string_view kSpaces = " \t";

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> lines;
  const bool has_returns = text.find('\r') != std::string_view::npos;
  while (!text.empty()) {
    const size_t feed = text.find('\n');
    const size_t end = has_returns ? std::min(text.substr(0, feed).find('\r'), feed) : feed;
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    const bool pair = text[end] == '\r' && end + 1 < text.size() && text[end + 1] == '\n';
    text.remove_prefix(end + (pair ? 2 : 1));
  }
  return lines;
}

}  // namespace

class LineReader {
 public:
  explicit LineReader(std::string text) {
    read_.text_ = std::make_unique<const std::string>(std::move(text));
    raw_ = split(*read_.text_);
    read_.lines_.reserve(raw_.size());
  }

  MarkdownLines run() {
    for (size_t i = 0; i < raw_.size();) {
      if (is(raw_[i], kIndexStart) && last_index_end() > i) {
        while (!is(raw_[i], kIndexEnd)) ++i;
        ++i;
      } else if (const auto fence = opening_fence(raw_[i]); fence && closer_of(i, *fence)) {
        const size_t last = *closer_of(i, *fence);
        for (; i <= last; ++i) read_.lines_.push_back({raw_[i], i + 1, true});
      } else {
        i = read_plain(i);
      }
    }
    return std::move(read_);
  }

 private:
  static bool is(std::string_view line, std::string_view marker) {
    return line.size() >= marker.size() && trim(line) == marker;
  }

  // A search for a closer that fails once fails for every later opener: the last of each is looked for once.
  // Line numbers, 1-based; 0 when there is none.
  template <class Closes>
  size_t last_line_that(std::optional<size_t>& known, Closes closes) const {
    if (!known) {
      known = raw_.size();
      while (*known > 0 && !closes(raw_[*known - 1])) --*known;
    }
    return *known;
  }
  size_t last_index_end() {
    return last_line_that(last_index_end_, [](std::string_view line) { return is(line, kIndexEnd); });
  }
  size_t last_comment_close() {
    return last_line_that(last_comment_close_, [](std::string_view line) {
      return line.find(kCommentClose) != std::string_view::npos;
    });
  }

  std::optional<size_t> closer_of(size_t opener, Fence fence) {
    size_t& hopeless = hopeless_length_[fence.mark == '`' ? 0 : 1];
    if (fence.length >= hopeless) return std::nullopt;
    if (opener == cached_opener_) return cached_closer_;
    for (size_t i = opener + 1; i < raw_.size(); ++i) {
      if (!closes_fence(raw_[i], fence)) continue;
      cached_opener_ = opener;
      cached_closer_ = i;
      return i;
    }
    hopeless = fence.length;
    return std::nullopt;
  }

  // Cuts comments out of the line at `at` (and out of those that a comment reaches into); gives the next
  // line.
  size_t read_plain(size_t at) {
    const size_t first = at;
    std::string_view rest = raw_[at];
    std::string kept;
    bool cut = false;
    while (true) {
      const size_t open = find_comment(rest);
      if (open == std::string_view::npos) break;
      // Behind the opener: the dashes of "<!-->" are its own.
      const bool on_this_line =
          rest.find(kCommentClose, open + kCommentOpen.size()) != std::string_view::npos;
      if (!on_this_line && last_comment_close() <= at + 1) break;
      kept += rest.substr(0, open);
      cut = true;
      rest.remove_prefix(open + kCommentOpen.size());
      size_t close = rest.find(kCommentClose);
      while (close == std::string_view::npos) {
        rest = raw_[++at];
        close = rest.find(kCommentClose);
      }
      rest.remove_prefix(close + kCommentClose.size());
    }
    if (!cut) {
      read_.lines_.push_back({rest, first + 1, false});
      return at + 1;
    }
    // A line that held nothing but a comment leaves no trace, so that it does not part what stands around it.
    kept += rest;
    if (!trim(kept).empty()) {
      read_.lines_.push_back({read_.cut_lines_.emplace_back(std::move(kept)), first + 1, false});
    }
    return at + 1;
  }

  // The first comment opener that does not stand in inline code.
  static size_t find_comment(std::string_view line) {
    size_t at = 0;
    while (at < line.size()) {
      const size_t open = line.find(kCommentOpen, at);
      if (open == std::string_view::npos) return open;
      const size_t tick = line.find('`', at);
      if (tick == std::string_view::npos || open < tick) return open;
      const size_t run_end = std::min(line.find_first_not_of('`', tick), line.size());
      const size_t close = line.find(line.substr(tick, run_end - tick), run_end);
      at = close == std::string_view::npos ? run_end : close + (run_end - tick);
    }
    return std::string_view::npos;
  }

  MarkdownLines read_;
  std::vector<std::string_view> raw_;
  std::optional<size_t> last_comment_close_;
  std::optional<size_t> last_index_end_;
  std::array<size_t, 2> hopeless_length_ = {SIZE_MAX,
                                            SIZE_MAX};  // fences this long are never closed from here on
  size_t cached_opener_ = SIZE_MAX;
  size_t cached_closer_ = 0;
};

bool Line::blank() const {
  return trim(text).empty();
}

size_t Line::indent() const {
  size_t columns = 0;
  for (const char c : text) {
    if (c == ' ') {
      ++columns;
    } else if (c == '\t') {
      columns += 4 - columns % 4;
    } else {
      break;
    }
  }
  return columns;
}

std::string_view Line::trimmed() const {
  return trim(text);
}

MarkdownLines read_lines(std::string text) {
  return LineReader(std::move(text)).run();
}

Heading heading_of(const Line& line) {
  std::string_view text = line.trimmed();
  if (!text.starts_with('#') || line.fenced || line.indent() > 3) return {};
  const size_t level = std::min(text.find_first_not_of('#'), text.size());
  if (level == 0 || level > 6 || (level < text.size() && !ascii::is_blank(text[level]))) return {};
  text = trim(text.substr(level));
  const size_t end = text.find_last_not_of('#');
  if (end == std::string_view::npos) return {static_cast<int>(level), ""};
  if (end + 1 < text.size() && ascii::is_blank(text[end])) text = trim(text.substr(0, end));
  return {static_cast<int>(level), std::string(text)};
}

std::optional<Fence> opening_fence(std::string_view line) {
  const size_t start = line.find_first_not_of(kSpaces);
  if (start == std::string_view::npos) return std::nullopt;
  const char mark = line[start];
  if (mark != '`' && mark != '~') return std::nullopt;
  size_t end = start;
  while (end < line.size() && line[end] == mark) ++end;
  if (end - start < 3) return std::nullopt;
  if (mark == '`' && line.find('`', end) != std::string_view::npos) return std::nullopt;  // inline code
  return Fence{mark, end - start};
}

bool closes_fence(std::string_view line, Fence fence) {
  const std::string_view rest = trim(line);
  return rest.size() >= fence.length && rest.find_first_not_of(fence.mark) == std::string_view::npos;
}

bool is_separator(const Line& line) {
  const std::string_view text = line.trimmed();
  if (line.fenced || text.size() < 3 || (text[0] != '-' && text[0] != '*' && text[0] != '_')) return false;
  size_t marks = 0;
  for (const char c : text) {
    if (c == text[0]) {
      ++marks;
    } else if (!ascii::is_blank(c)) {
      return false;
    }
  }
  return marks >= 3;
}

bool holds_content(std::span<const Line> lines) {
  return std::any_of(lines.begin(), lines.end(), [](const Line& line) {
    return !line.blank() && heading_of(line).level == 0 && !is_separator(line);
  });
}

}  // namespace knapsack

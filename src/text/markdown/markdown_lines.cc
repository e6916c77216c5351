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

// "## [2026-11-15" begins one, wherever it stands.
bool is_dated_heading(std::string_view line) {
  line = trim(line);
  const size_t level = line.find_first_not_of('#');
  if (level == std::string_view::npos || level == 0 || level > 4) return false;
  line = trim(line.substr(level));
  constexpr std::string_view kShape = "[0000-00-00";
  if (line.size() < kShape.size()) return false;
  for (size_t i = 0; i < kShape.size(); ++i) {
    if (kShape[i] == '0' ? !ascii::is_digit(line[i]) : line[i] != kShape[i]) return false;
  }
  return true;
}

// A heading, or a list item that stands in no other: no sentence goes on behind it.
bool begins_anew(std::string_view line) {
  if (heading_of({line, 0, false}).level > 0) return true;
  const size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  const std::string_view mark = line.substr(digits, 2);
  if (mark.size() < 2 || !ascii::is_blank(mark[1])) return false;
  return digits == 0 ? mark[0] == '-' || mark[0] == '*' || mark[0] == '+' : mark[0] == '.' || mark[0] == ')';
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
        for (; !is(raw_[i], kIndexEnd); ++i) note_hidden(i);
        ++i;
      } else if (const auto fence = opening_fence(raw_[i]); fence && closer_of(i, *fence)) {
        const size_t last = *closer_of(i, *fence);
        for (; i <= last; ++i) {
          note_hidden(i);
          read_.lines_.push_back({raw_[i], i + 1, true});
        }
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

  void note_hidden(size_t at) {
    if (is_dated_heading(raw_[at])) read_.hidden_entries_.push_back(at + 1);
  }

  // The first line from `from` on that matches, or the number of lines. `from` only ever grows.
  template <class Matches>
  size_t next_that(size_t& known, size_t from, Matches matches) const {
    known = std::max(known, from);
    while (known < raw_.size() && !matches(raw_[known])) ++known;
    return known;
  }
  // Of a comment that opens behind other text on the line `at`.
  bool ends_in_its_sentence(size_t at) {
    const size_t close = next_that(next_close_, at + 1, [](std::string_view line) {
      return line.find(kCommentClose) != std::string_view::npos;
    });
    return close < next_that(next_beginning_, at + 1, begins_anew);
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
      const bool behind_text = !trim(kept).empty() || !trim(rest.substr(0, open)).empty();
      if (!on_this_line && behind_text && !ends_in_its_sentence(at)) break;
      kept += rest.substr(0, open);
      cut = true;
      rest.remove_prefix(open + kCommentOpen.size());
      size_t close = rest.find(kCommentClose);
      while (close == std::string_view::npos) {
        rest = raw_[++at];
        note_hidden(at);
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

  // The first comment opener that stands neither in inline code nor behind a backslash.
  static size_t find_comment(std::string_view line) {
    size_t at = 0;
    while (at < line.size()) {
      size_t open = line.find(kCommentOpen, at);
      while (open != std::string_view::npos && open > 0 && line[open - 1] == '\\')
        open = line.find(kCommentOpen, open + 1);
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
  size_t next_close_ = 0, next_beginning_ = 0;
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

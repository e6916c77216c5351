#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>

#include "code/parse/source_text.h"
#include "code/units/unit_signals.h"
#include "core/ascii.h"
#include "text/markdown/markdown_lines.h"
#include "understand/traces/stack_frames.h"

namespace knapsack::code {
namespace {

// Shorter lines ("return None", "} else {") stand everywhere.
constexpr size_t kMinQuotedBytes = 12;
constexpr size_t kMinQuotedLetters = 8;
constexpr double kFullQuoteBytes = 30;
// What a program prints: parts of its literals between placeholders.
constexpr size_t kMinLiteralBytes = 8;
constexpr size_t kMaxLiteralBytes = 200;
constexpr size_t kMinMessageBytes = 10;
constexpr double kFullMessageBytes = 25;
constexpr size_t kWindow = 8;

std::string without_spaces(std::string_view line) {
  std::string kept;
  for (const char c : line)
    if (!is_space(c)) kept += c;
  return kept;
}

// "12 | code", "+code", "> code", "--> 12 code": what editors, diffs and tools print before a line.
std::string_view without_margin(std::string_view line) {
  std::string_view rest = ascii::trim_space(line);
  const std::string_view digits = ascii::leading_digits(rest);
  if (!digits.empty() && digits.size() < rest.size()) {
    rest.remove_prefix(digits.size());
    while (!rest.empty() && (rest.front() == ':' || rest.front() == '|' || is_space(rest.front())))
      rest.remove_prefix(1);
    return rest;
  }
  while (!rest.empty() && (rest.front() == '+' || rest.front() == '-' || rest.front() == '>'))
    rest.remove_prefix(1);
  rest = ascii::trim_space(rest);
  while (!rest.empty() && (rest.front() == '|' || ascii::is_digit(rest.front()))) rest.remove_prefix(1);
  return rest;
}

bool says_something(std::string_view line) {
  return line.size() >= kMinQuotedBytes &&
         static_cast<size_t>(std::count_if(
             line.begin(), line.end(), [](char c) { return ascii::is_identifier(c); })) >= kMinQuotedLetters;
}

template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// Of a trace only the source that Python prints below a frame, deeper than it, is quoted: each documentation that shows a
// trace has the heading and words around frames as well.
class SourceOfFrames {
 public:
  bool holds(std::string_view line) {
    const size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    if (const auto frame = read_frame(line)) {
      has_source_ = frame->innermost_last;
      indent_ = indent;
      return false;
    }
    return has_source_ && (indent > indent_ || is_arrow(line.substr(indent)));
  }

 private:
  // IPython's, at the line that failed: "---> 45     return sum(items)"
  static bool is_arrow(std::string_view text) {
    const size_t head = text.find_first_not_of('-');
    return head != std::string_view::npos && head >= 2 && text[head] == '>';
  }

  bool has_source_ = false;
  size_t indent_ = 0;
};

std::unordered_set<std::string> quoted_lines(const TaskQuery& task) {
  std::unordered_set<std::string> lines;
  for (const TaskSegment& segment : task.segments) {
    if (segment.kind == SegmentKind::kTitle || segment.kind == SegmentKind::kTemplate) continue;
    SourceOfFrames source;
    for_each_line(segment.text, [&](std::string_view line) {
      if (segment.kind == SegmentKind::kTrace && !source.holds(line)) return;
      for (std::string text : {without_spaces(line), without_spaces(without_margin(line))})
        if (says_something(text)) lines.insert(std::move(text));
    });
  }
  return lines;
}

// Who passes a message on quotes less or more than the program does.
bool is_quote(char c) {
  return c == '"' || c == '\'' || c == '`';
}

// "## Cannot open file" or a line that is bold from end to end.
bool is_section_heading(std::string_view line) {
  if (heading_of({line, 1, false}).level > 0) return true;
  line = ascii::trim_space(line);
  if (line.ends_with(':')) line.remove_suffix(1);
  return line.size() > 4 && line.starts_with("**") && line.ends_with("**");
}

// The headings of a task's sections are words of its writer, or of a template, and nothing that a program printed.
std::string without_headings(std::string_view text) {
  std::string kept;
  std::optional<Fence> fence;
  bool is_title = true;
  for_each_line(text, [&](std::string_view line) {
    if (fence) {
      if (closes_fence(line, *fence)) fence.reset();
    } else if (const auto opened = opening_fence(line)) {
      fence = opened;
    } else if (!is_title && is_section_heading(line)) {
      return;
    }
    is_title = is_title && ascii::trim_space(line).empty();
    kept.append(line).push_back('\n');
  });
  return kept;
}

// The text of the task in lower case, without quotes and with single spaces, and the windows of eight bytes that are in it: what
// is not among them need not be searched for.
class TaskText {
 public:
  explicit TaskText(std::string_view text) {
    for (const char c : text) {
      if (is_space(c)) {
        if (!text_.empty() && text_.back() != ' ') text_ += ' ';
      } else if (!is_quote(c)) {
        text_ += ascii::lower(c);
      }
    }
    for (size_t at = 0; at + kWindow <= text_.size(); ++at) windows_.insert(window(text_.data() + at));
  }

  bool holds(std::string_view message) const {
    return windows_.contains(window(message.data())) && text_.find(message) != std::string::npos;
  }

 private:
  static uint64_t window(const char* bytes) {
    uint64_t value = 0;
    std::memcpy(&value, bytes, kWindow);
    return value;
  }

  std::string text_;
  std::unordered_set<uint64_t> windows_;
};

// The length of a placeholder at the start of the text: %s, %(name)s, {name}, ${name}, #{name}, \n; or 0.
size_t placeholder(std::string_view text) {
  const auto braced = [&](size_t open, char close) -> size_t {
    const size_t end = text.find(close, open + 1);
    return end == std::string_view::npos ? 0 : end + 1;
  };
  if (text[0] == '\\') return std::min<size_t>(2, text.size());
  if (text[0] == '{') return braced(0, '}');
  if ((text[0] == '$' || text[0] == '#') && text.size() > 1 && text[1] == '{') return braced(1, '}');
  if (text[0] != '%' || text.size() < 2) return 0;
  size_t at = 1;
  if (text[1] == '(') {
    at = braced(1, ')');
    if (at == 0) return 0;
  }
  while (at < text.size() && (ascii::is_digit(text[at]) || std::strchr("-+.#", text[at]) != nullptr)) ++at;
  return at < text.size() && ascii::is_letter(text[at]) ? at + 1 : 0;
}

template <class Visit>
void for_each_message(std::string_view literal, Visit visit) {
  std::string part;
  const auto give = [&] {
    const std::string_view message = ascii::trim_space(part);
    if (message.size() >= kMinMessageBytes && message.find(' ') != std::string_view::npos)
      visit(std::string(message));
    part.clear();
  };
  while (!literal.empty()) {
    if (const size_t skipped = placeholder(literal); skipped > 0) {
      give();
      literal.remove_prefix(skipped);
      continue;
    }
    if (!is_quote(literal.front())) part += ascii::lower(literal.front());
    literal.remove_prefix(1);
  }
  give();
}

// String literals of one line each, in the quotes that languages use.
template <class Visit>
void for_each_literal(std::string_view text, Visit visit) {
  constexpr std::string_view kQuotes = "\"'`";
  std::array<size_t, kQuotes.size()> unclosed{};  // up to here each of them closes nothing
  for (size_t at = text.find_first_of(kQuotes); at != std::string_view::npos;
       at = text.find_first_of(kQuotes, at)) {
    const char quote = text[at];
    size_t& known = unclosed[kQuotes.find(quote)];
    if (at < known) {
      ++at;
      continue;
    }
    size_t end = at + 1;
    while (end < text.size() && text[end] != quote && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
    if (end >= text.size()) return;
    if (text[end] == '\n') {
      known = end;
      ++at;  // an apostrophe, or a literal of several lines
      continue;
    }
    const size_t length = end - at - 1;
    if (length >= kMinLiteralBytes && length <= kMaxLiteralBytes) visit(text.substr(at + 1, length));
    at = end + 1;
  }
}

using UnitsOfTexts = std::map<std::string, std::set<size_t>>;  // in order: sums of doubles depend on it

// What many units have says little about each.
void add_worth(const UnitsOfTexts& texts, double full_bytes, UnitScores& scores) {
  for (const auto& [text, units] : texts) {
    const double worth = std::min(1.0, static_cast<double>(text.size()) / full_bytes);
    for (const size_t unit : units) scores[unit] += worth / static_cast<double>(units.size());
  }
}

}  // namespace

QuoteSignals quote_signals(const UnitInput& input) {
  QuoteSignals signals{UnitScores(input.units.size()), UnitScores(input.units.size())};
  const auto quoted = quoted_lines(input.task);
  const TaskText task(without_headings(input.task.text));
  UnitsOfTexts lines, messages;
  for (size_t i = 0; i < input.units.size(); ++i) {
    const OpenFile& file = input.file_of(i);
    const LineRange range = input.unit(i).lines;
    for (uint32_t line = range.first; line <= range.last && !quoted.empty(); ++line) {
      std::string text = without_spaces(file.lines.line(line));
      if (!quoted.contains(text)) continue;
      lines[std::move(text)].insert(i);
    }
    for_each_literal(file.lines.lines(range), [&](std::string_view literal) {
      for_each_message(literal, [&](std::string message) {
        if (task.holds(message)) messages[std::move(message)].insert(i);
      });
    });
  }
  add_worth(lines, kFullQuoteBytes, signals.quoted);
  add_worth(messages, kFullMessageBytes, signals.message);
  for (UnitScores* scores : {&signals.quoted, &signals.message})
    for (double& score : *scores) score = std::min(1.0, score);
  return signals;
}

}  // namespace knapsack::code

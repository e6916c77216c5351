#include "understand/task_segments.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/ascii.h"
#include "text/markdown/html_tags.h"
#include "text/markdown/inline_code.h"
#include "text/markdown/markdown_lines.h"
#include "text/unicode/utf8.h"
#include "understand/task_lines.h"
#include "understand/task_links.h"
#include "understand/template_lines.h"
#include "understand/traces/error_lines.h"
#include "understand/traces/trace_reader.h"

namespace knapsack {
namespace {

using std::string_view;

constexpr size_t kCodeIndent = 4;  // Markdown's

bool is_list_item(string_view text, size_t& content) {
  size_t end = 0;
  if (!text.empty() && string_view("-*+").find(text[0]) != string_view::npos) {
    end = 1;
  } else if (const size_t digits = ascii::leading_digits(text).size(); digits > 0 && digits < text.size()) {
    if (text[digits] == '.' || text[digits] == ')') end = digits + 1;
  }
  if (end == 0 || end >= text.size() || !ascii::is_blank(text[end])) return false;
  content = end + 1;
  return true;
}

// "> quoted" as "quoted"; Python's ">>> " is a prompt and no quotation.
string_view unquoted(string_view line, bool& quoted) {
  string_view text = trim(line);
  quoted = false;
  while (text.starts_with('>') && !text.starts_with(">>>")) {
    text = text.substr(text.starts_with("> ") ? 2 : 1);
    quoted = true;
  }
  return quoted ? text : line;
}

// "## Title ##" as "Title"
string_view without_marks(string_view heading) {
  heading = trim(heading);
  while (heading.starts_with('#')) heading.remove_prefix(1);
  const size_t end = heading.find_last_not_of('#');
  if (end == string_view::npos) return {};
  return trim(ascii::is_blank(heading[end]) ? heading.substr(0, end) : heading);
}

// Of "## Title"; a line that is bold from end to end stands for one of the third level, which templates use most.
int level_of_heading(string_view line) {
  constexpr int kLevelOfBold = 3;
  const int level = heading_of({line, 1, false}).level;
  return level > 0 ? level : kLevelOfBold;
}

// What a cleaner took out says nothing: `[redacted: password]`.
std::string without_redactions(const std::string& text) {
  constexpr string_view kMark = "[redacted: ";
  constexpr size_t kLongestKind = 40;
  if (text.find(kMark) == std::string::npos) return text;
  std::string kept;
  for (size_t at = 0; at < text.size();) {
    const size_t mark = std::min(text.find(kMark, at), text.size());
    kept.append(text, at, mark - at);
    if (mark == text.size()) break;
    const string_view kind = string_view(text).substr(mark + kMark.size(), kLongestKind);
    const size_t close = kind.find_first_of("]\n");
    const bool is_whole = close != string_view::npos && kind[close] == ']';
    if (!is_whole) kept.append(kMark);
    at = mark + kMark.size() + (is_whole ? close + 1 : 0);
  }
  return kept;
}

class Segmenter {
 public:
  TaskReading run(string_view text) {
    TaskLines lines(text);
    for (string_view line; reading_.segments.size() < kMaxSegments && lines.next(line, !in_code());) {
      if (in_code()) {
        read_code_line(line);
      } else {
        read_text_line(line);
      }
    }
    reading_.frames = traces_.take_frames();
    reading_.errors = traces_.take_errors();
    return std::move(reading_);
  }

 private:
  bool in_code() const { return fence_.has_value() || preformatted_; }

  void append(SegmentKind kind, string_view text) {
    if (trim(text).empty()) return;
    auto& segments = reading_.segments;
    if (open_ && !segments.empty() && segments.back().kind == kind && kind != SegmentKind::kInline) {
      segments.back().text.append("\n").append(text);
    } else {
      segments.push_back({kind, std::string(text)});
    }
    open_ = true;
  }

  void end_block() {
    open_ = false;
    traces_.end_block();
  }

  void read_code_line(string_view line) {
    bool quoted = false;
    const string_view content = fence_quoted_ ? unquoted(line, quoted) : line;
    const bool closed = preformatted_ ? ascii::starts_with_ignoring_case(trim(content), "</pre")
                                      : closes_fence(content, *fence_) || (fence_quoted_ && !quoted);
    if (!closed) {
      append_program_text(content, traces_.read(content, true));
      return;
    }
    fence_.reset();
    preformatted_ = false;
    end_block();
  }

  void append_program_text(string_view line, LineRole role) {
    if (role == LineRole::kFrame) {
      append(SegmentKind::kTrace, line);
    } else if (role == LineRole::kError) {
      open_ = false;
      append(SegmentKind::kProse, traces_.sentence());
      open_ = false;
      if (!reading_.segments.empty()) reading_.messages.push_back(reading_.segments.size() - 1);
    } else {
      append(about_machine_ ? SegmentKind::kTemplate : SegmentKind::kCode, line);
    }
  }

  void read_text_line(string_view line) {
    bool quoted = false;
    const string_view text = unquoted(line, quoted);
    if (opens_code(text, quoted)) return;
    if (trim(text).empty()) {
      traces_.read({}, false);
      open_ = false;
      return;
    }
    if (is_heading_line(text)) {
      read_heading(text);
      return;
    }
    const LineRole role = traces_.read(text, false);
    const std::string untagged = drop_tags(text);
    if (title_pending_ && role != LineRole::kFrame && read_title(untagged)) return;
    if (role != LineRole::kPlain) {
      title_pending_ = false;
      append_program_text(text, role);
    } else if (about_machine_) {
      append(SegmentKind::kTemplate, text);
    } else if (is_code(text)) {
      append(SegmentKind::kCode, text);
    } else if (is_template_line(untagged) || is_version_line(untagged)) {
      append(SegmentKind::kTemplate, untagged);
    } else {
      append_prose(untagged);
    }
  }

  bool opens_code(string_view text, bool quoted) {
    const auto fence = opening_fence(text);
    preformatted_ = !fence && ascii::starts_with_ignoring_case(trim(text), "<pre");
    if (!fence && !preformatted_) return false;
    end_block();
    title_pending_ = false;
    fence_ = fence;
    fence_quoted_ = quoted;
    if (preformatted_) {
      // Code may begin, and even end, on the line of the tag.
      const string_view rest = text.substr(std::min(text.find('>') + 1, text.size()));
      const size_t close = rest.find("</pre");
      append(SegmentKind::kCode, drop_tags(rest.substr(0, close)));
      preformatted_ = close == string_view::npos;
    }
    return true;
  }

  void read_heading(string_view text) {
    end_block();
    const bool asked = is_template_line(text);
    const bool environment = is_environment_heading(text);
    if (title_pending_ && !asked && !environment && read_title(text)) return;
    // A heading below that of such a section is a part of it.
    const int level = level_of_heading(text);
    if (!about_machine_ || level <= machine_level_) {
      about_machine_ = environment;
      machine_level_ = level;
    }
    list_content_ = 0;
    if (asked || environment || about_machine_) {
      append(SegmentKind::kTemplate, text);
    } else {
      append_prose(drop_tags(without_marks(text)));
    }
    end_block();
  }

  bool read_title(string_view text) {
    const string_view title = without_marks(text);
    if (title.empty() || is_template_line(text) || is_version_line(text)) return false;
    title_pending_ = false;
    if (title.size() > kMaxTitleBytes) return false;
    for (const InlinePiece& piece : split_inline_code(title))
      traces_.add_error(piece.code ? error_of_line(piece.text) : error_in_sentence(piece.text));
    append(SegmentKind::kTitle, title);
    open_ = false;
    return true;
  }

  // Indented as code is, beyond what the list that it stands in asks for; or typed at Python's prompt.
  bool is_code(string_view line) {
    const size_t indent = Line{line, 0, false}.indent();
    const string_view text = trim(line);
    size_t content = 0;
    if (is_list_item(text, content) && indent < list_content_ + kCodeIndent) {
      list_content_ = indent + content;
      return false;
    }
    if (indent == 0 && !open_) list_content_ = 0;
    return text.starts_with(">>>") || indent >= list_content_ + kCodeIndent;
  }

  void append_prose(string_view text) {
    for (const InlinePiece& piece : split_inline_code(text)) {
      append(piece.code ? SegmentKind::kInline : SegmentKind::kProse, trim(piece.text));
      traces_.add_error(piece.code ? error_of_line(piece.text) : error_in_sentence(piece.text));
      if (reading_.segments.size() >= kMaxSegments) break;
    }
  }

  TaskReading reading_;
  TraceReader traces_;
  std::optional<Fence> fence_;
  bool fence_quoted_ = false;
  bool preformatted_ = false;   // between <pre> and </pre>
  bool about_machine_ = false;  // in a section about the reporter's machine
  int machine_level_ = 0;       // of the heading of that section
  bool title_pending_ = true;
  bool open_ = false;        // the next line of the same kind belongs to the last segment
  size_t list_content_ = 0;  // the column where the text of the last list item begins
};

}  // namespace

TaskReading read_task_text(string_view text) {
  return Segmenter().run(without_redactions(sanitize_utf8(std::string(text))));
}

std::vector<TaskSegment> without_links(std::vector<TaskSegment> segments) {
  for (TaskSegment& segment : segments) segment.text = drop_links(segment.text);
  std::erase_if(segments, [](const TaskSegment& segment) { return trim(segment.text).empty(); });
  return segments;
}

std::vector<TaskSegment> split_task_text(string_view text) {
  return without_links(read_task_text(text).segments);
}

}  // namespace knapsack

#include "code/parse/comments.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "code/parse/source_text.h"
#include "core/ascii.h"

namespace knapsack::code {
namespace {

// A licence stands at the top of its file; further down the same words are prose about licences.
constexpr uint32_t kLicenseLines = 30;
// Issue numbers beyond this are colours, dates or checksums.
constexpr uint32_t kMaxIssueNumber = 9'999'999;

struct Marker {
  std::string_view word;  // lower case
  CommentKind kind;
  bool needs_capitals;  // "TODO" is a mark, "todo" in a sentence is not, unless a colon follows
};

constexpr std::array kMarkers = {
    Marker{"todo", CommentKind::kTodo, true},
    Marker{"fixme", CommentKind::kTodo, true},
    Marker{"xxx", CommentKind::kTodo, true},
    Marker{"hack", CommentKind::kTodo, true},
    Marker{"bug", CommentKind::kTodo, true},
    Marker{"because", CommentKind::kRationale, false},
    Marker{"rationale", CommentKind::kRationale, false},
    Marker{"the reason", CommentKind::kRationale, false},
    Marker{"workaround", CommentKind::kRationale, false},
    Marker{"work around", CommentKind::kRationale, false},
    Marker{"on purpose", CommentKind::kRationale, false},
    Marker{"intentionally", CommentKind::kRationale, false},
    Marker{"deliberately", CommentKind::kRationale, false},
    Marker{"to avoid", CommentKind::kRationale, false},
    Marker{"to prevent", CommentKind::kRationale, false},
    Marker{"to ensure", CommentKind::kRationale, false},
    Marker{"so that", CommentKind::kRationale, false},
    Marker{"in order to", CommentKind::kRationale, false},
    Marker{"otherwise", CommentKind::kRationale, false},
    Marker{"instead of", CommentKind::kRationale, false},
    Marker{"note", CommentKind::kNote, true},
    Marker{"nb", CommentKind::kNote, true},
    Marker{"n.b.", CommentKind::kNote, true},
    Marker{"warning", CommentKind::kNote, true},
    Marker{"important", CommentKind::kNote, true},
    Marker{"caution", CommentKind::kNote, true},
    Marker{"safety", CommentKind::kNote, true},
    Marker{"invariant", CommentKind::kNote, true},
};

// Compares text at `at` with a lower-case word, with word boundaries on both sides.
bool is_at(std::string_view text, size_t at, std::string_view word) {
  if (text.size() - at < word.size()) return false;
  for (size_t i = 0; i < word.size(); ++i) {
    const char c = is_space(text[at + i]) ? ' ' : ascii::lower(text[at + i]);
    if (c != word[i]) return false;
  }
  const size_t end = at + word.size();
  return end == text.size() || !is_identifier(text[end]);
}

bool is_marked(std::string_view text, size_t at, size_t length) {
  const auto is_lower = [](char c) { return ascii::is_lower(c); };
  const std::string_view word = text.substr(at, length);
  if (std::none_of(word.begin(), word.end(), is_lower)) return true;
  return text.substr(at + length).starts_with(':');
}

bool is_license(std::string_view text) {
  const std::string folded = ascii::lower(text);
  return folded.find("copyright") != std::string::npos || folded.find("spdx-license") != std::string::npos ||
         folded.find("licensed under") != std::string::npos || folded.find("license,") != std::string::npos ||
         folded.find("all rights reserved") != std::string::npos;
}

int rank(CommentKind kind) {
  switch (kind) {
    case CommentKind::kTodo:
      return 3;
    case CommentKind::kRationale:
      return 2;
    case CommentKind::kNote:
      return 1;
    default:
      return 0;
  }
}

}  // namespace

CommentKind classify_comment(std::string_view text, uint32_t start_line) {
  if (start_line <= kLicenseLines && is_license(text)) return CommentKind::kLicense;
  CommentKind best = CommentKind::kPlain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && is_identifier(text[i - 1])) continue;
    const char first = ascii::lower(text[i]);
    if (first < 'a' || first > 'x') continue;
    for (const Marker& marker : kMarkers) {
      if (marker.word[0] != first || rank(marker.kind) <= rank(best) || !is_at(text, i, marker.word))
        continue;
      if (!marker.needs_capitals || is_marked(text, i, marker.word.size())) best = marker.kind;
    }
  }
  return best;
}

std::vector<uint32_t> find_issue_numbers(std::string_view text) {
  std::vector<uint32_t> numbers;
  for (size_t i = 1; i < text.size(); ++i) {
    if (!ascii::is_digit(text[i]) || ascii::is_digit(text[i - 1])) continue;
    const std::string_view before = text.substr(0, i);
    const auto follows = [&](std::string_view mark) {
      if (!before.ends_with(mark)) return false;
      return before.size() == mark.size() || mark.front() == '/' ||
             !is_identifier(before[before.size() - mark.size() - 1]);
    };
    if (!follows("#") && !follows("GH-") && !follows("gh-") && !follows("/issues/") && !follows("/pull/"))
      continue;
    uint64_t number = 0;
    size_t end = i;
    for (; end < text.size() && ascii::is_digit(text[end]) && number <= kMaxIssueNumber; ++end) {
      number = number * 10 + static_cast<uint64_t>(text[end] - '0');
    }
    const bool stands_alone = end == text.size() || !is_identifier(text[end]);
    if (!stands_alone || number == 0 || number > kMaxIssueNumber) continue;
    if (std::find(numbers.begin(), numbers.end(), number) == numbers.end()) {
      numbers.push_back(static_cast<uint32_t>(number));
    }
  }
  return numbers;
}

bool has_doc_mark(std::string_view comment) {
  if (comment.starts_with("/***") || comment.starts_with("////")) return false;  // a ruler, not documentation
  constexpr std::array kMarks = {"/**", "///", "//!", "/*!", "-- |", "--|", "{-|", "-- ^", "---"};
  return comment != "/**/" && std::any_of(kMarks.begin(), kMarks.end(),
                                          [&](const char* mark) { return comment.starts_with(mark); });
}

void CommentCollector::add(CommentSpan span) {
  size_t line_start = bytes_.rfind('\n', span.start_byte == 0 ? 0 : span.start_byte - 1);
  line_start = line_start == std::string_view::npos || span.start_byte == 0 ? 0 : line_start + 1;
  const std::string_view before = bytes_.substr(line_start, span.start_byte - line_start);
  const std::string_view code = ascii::trim_space(before);
  if (code == "}" || code == "};") return;  // "}  // namespace": names what it closes, nothing more
  span.is_trailing = !code.empty() && before != "\xEF\xBB\xBF";
  const auto is_line = [&](const CommentSpan& one) {
    return !language_.line_comment.empty() && !one.is_string &&
           bytes_.substr(one.start_byte).starts_with(language_.line_comment);
  };
  if (!spans_.empty()) {
    CommentSpan& last = spans_.back();
    // "/// doc" after "// plain" is a comment of its own; "-- more" after "-- | doc" is not.
    const bool joins = is_line(last) && is_line(span) && !last.is_trailing && !span.is_trailing &&
                       last.end_line + 1 == span.start_line &&
                       (has_doc_mark(text_of(last)) || !has_doc_mark(text_of(span)));
    if (joins) {
      last.end_byte = span.end_byte;
      last.end_line = span.end_line;
      return;
    }
  }
  spans_.push_back(span);
}

void CommentCollector::sort() {
  std::sort(spans_.begin(), spans_.end(),
            [](const CommentSpan& a, const CommentSpan& b) { return a.start_byte < b.start_byte; });
}

CommentSpan* CommentCollector::ending_on(uint32_t line) {
  // Comments do not overlap and come in source order, so their last lines are in order too.
  auto found =
      std::upper_bound(spans_.begin(), spans_.end(), line,
                       [](uint32_t wanted, const CommentSpan& span) { return wanted < span.end_line; });
  while (found != spans_.begin()) {
    --found;
    if (found->end_line != line) return nullptr;
    if (!found->is_trailing && !found->is_string) return &*found;
  }
  return nullptr;
}

std::string_view CommentCollector::text_of(const CommentSpan& span) const {
  return bytes_.substr(span.start_byte, span.end_byte - span.start_byte);
}

std::vector<Comment> CommentCollector::finish() const {
  std::vector<Comment> comments;
  for (const CommentSpan& span : spans_) {
    const std::string_view raw = text_of(span);
    Comment comment;
    comment.text = span.is_string ? strip_comment(unquote(raw), "", "", kMaxCommentBytes)
                                  : strip_comment(raw, language_.line_comment, language_.block_comment,
                                                  kMaxCommentBytes);
    if (comment.text.empty()) continue;
    comment.kind = classify_comment(comment.text, span.start_line);
    comment.issues = find_issue_numbers(comment.text);
    if (comment.kind == CommentKind::kPlain && !comment.issues.empty())
      comment.kind = CommentKind::kIssueReference;
    if (comment.kind == CommentKind::kPlain && (span.is_attached || span.is_doc || has_doc_mark(raw))) {
      comment.kind = CommentKind::kDoc;
    }
    if (span.is_attached && comment.kind == CommentKind::kDoc) continue;
    comment.start_line = span.start_line;
    comment.end_line = span.end_line;
    comment.enclosing = span.enclosing;
    comments.push_back(std::move(comment));
  }
  return comments;
}

}  // namespace knapsack::code

#include "notes/note_text.h"

#include <algorithm>
#include <vector>

#include "core/ascii.h"
#include "core/blanks.h"
#include "text/markdown/markdown_lines.h"
#include "text/unicode/utf8.h"

namespace knapsack::notes {
namespace {

constexpr std::string_view kOpensComment = "<!--", kClosesComment = "-->";
constexpr int kSectionLevel = 2;  // of headings that part a page; smaller ones part an entry

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

void escape_all(std::string& line, std::string_view mark, size_t within) {
  for (size_t at = line.find(mark); at != std::string::npos; at = line.find(mark, at + mark.size() + 1))
    line.insert(at + within, "\\");
}

void escape_comments(std::string& line, Care care) {
  if (line.find(kOpensComment) != std::string::npos) {
    // In inline code it opens none, and a backslash would be seen.
    const MarkdownLines closed = read_lines(sanitize_utf8(line + std::string(kClosesComment)));
    const bool is_cut = closed.size() == 0 || closed.begin()->text.size() < line.size();
    if (is_cut || care == Care::kUtmost) escape_all(line, kOpensComment, 0);
  }
  if (care == Care::kUtmost) escape_all(line, kClosesComment, 2);
}

void escape_start(std::string& line) {
  line.insert(leading_blanks(line), "\\");
}

// Where the fence that this line opens ends; the number of lines where it never does.
size_t end_of_fence(const std::vector<std::string>& lines, size_t opener, Fence fence) {
  size_t at = opener + 1;
  while (at < lines.size() && !closes_fence(lines[at], fence)) ++at;
  return at;
}

std::string escaped_lines(std::string_view text, std::string_view marker, int kept_level, Care care) {
  std::vector<std::string> lines = split_lines(text);
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto fence = opening_fence(lines[i]);
    const bool behind_marker = i == 0 && !marker.empty();
    if (fence && behind_marker) care = Care::kUtmost;  // there it opens none, and its end would
    if (fence && care == Care::kUsual) {
      i = end_of_fence(lines, i, *fence);
      if (i == lines.size()) lines.emplace_back(fence->length, fence->mark);
      continue;
    }
    std::string& line = lines[i];
    escape_comments(line, care);
    const std::string placed = (behind_marker ? std::string(marker) : "") + line;
    const Line read = {placed, 0, false};
    const Heading heading = heading_of(read);
    const bool parts_the_page =
        heading.level > 0 &&
        (heading.level < kept_level || heading.title.starts_with('[') || care == Care::kUtmost);
    if (fence || parts_the_page || is_separator(read)) escape_start(line);
  }
  std::string made;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) made += '\n';
    made += lines[i];
  }
  return made;
}

}  // namespace

std::string with_line_feeds(std::string_view text) {
  std::string made;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      made += text[i];
    } else if (text.substr(i, 2) != "\r\n") {
      made += '\n';
    }
  }
  const size_t first = made.find_first_not_of(" \t\n");
  if (first == std::string::npos) return "";
  const size_t begin = made.rfind('\n', first);
  made.erase(made.find_last_not_of(" \t\n") + 1);
  return begin == std::string::npos ? made : made.substr(begin + 1);
}

std::string body_text(std::string_view text, Care care) {
  return escaped_lines(text, "", kSectionLevel + 1, care);
}

std::string item_text(std::string_view text, std::string_view marker, Care care) {
  constexpr int kNoHeading = 7;
  return escaped_lines(text, marker, kNoHeading, care);
}

std::string title_text(std::string_view line, Care care) {
  std::string title(trim(line));
  escape_comments(title, care);
  // "Use C #" would lose its last character: marks at the end close a heading.
  const size_t last = title.find_last_not_of('#');
  const size_t marks = last == std::string::npos ? 0 : last + 1;
  if (marks < title.size() && (marks == 0 || ascii::is_blank(title[last]))) title.insert(marks, "\\");
  return title;
}

std::string_view without_marker(std::string_view text) {
  std::string_view rest = trim(text);
  const bool marked =
      rest.size() > 1 && (rest[0] == '-' || rest[0] == '*' || rest[0] == '+') && ascii::is_blank(rest[1]);
  if (marked) rest = trim(rest.substr(2));
  if (rest.starts_with("[ ]") && rest.size() > 3 && ascii::is_blank(rest[3])) rest = trim(rest.substr(3));
  return rest.empty() ? trim(text) : rest;
}

}  // namespace knapsack::notes

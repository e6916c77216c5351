#include "code/parse/source_text.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/ascii.h"

namespace knapsack::code {
namespace {

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// The length of the valid UTF-8 sequence at the front; 0 where there is none.
size_t sequence_length(std::string_view bytes) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  size_t length = 0;
  if (first >= 0xC2 && first <= 0xDF) length = 2;
  if (first >= 0xE0 && first <= 0xEF) length = 3;
  if (first >= 0xF0 && first <= 0xF4) length = 4;
  if (length == 0 || bytes.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if (!is_continuation(bytes[i])) return 0;
  }
  // Overlong forms, surrogates and what lies beyond U+10FFFF.
  if (first == 0xE0 && byte(1) < 0xA0) return 0;
  if (first == 0xED && byte(1) > 0x9F) return 0;
  if (first == 0xF0 && byte(1) < 0x90) return 0;
  if (first == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (true) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
    lines.push_back(line);
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

size_t indentation(std::string_view line) {
  size_t count = 0;
  while (count < line.size() && (line[count] == ' ' || line[count] == '\t')) ++count;
  return count;
}

// "/// text" loses its slashes and one more '!' or '<', as doc comments have them; "**** text" its stars.
void drop_marks(std::string_view& line, std::string_view mark) {
  if (mark.empty() || !line.starts_with(mark)) return;
  line.remove_prefix(mark.size());
  if (mark == "--" && (line.starts_with(" |") || line.starts_with(" ^"))) line.remove_prefix(1);  // Haddock
  while (!line.empty() && line.front() == mark.back()) line.remove_prefix(1);
  if (!line.empty() &&
      (line.front() == '!' || line.front() == '<' || line.front() == '|' || line.front() == '^')) {
    line.remove_prefix(1);
  }
}

std::string join_without_indentation(std::vector<std::string_view> lines, bool first_follows_mark,
                                     size_t max_bytes) {
  const auto is_blank = [](std::string_view line) { return ascii::trim_space(line).empty(); };
  // The first line stands behind the mark or quotes, so its indentation says nothing about the others'.
  if (first_follows_mark) lines.front() = ascii::trim_space(lines.front());
  if (is_blank(lines.front())) first_follows_mark = false;
  lines.erase(lines.begin(), std::find_if_not(lines.begin(), lines.end(), is_blank));
  while (!lines.empty() && is_blank(lines.back())) lines.pop_back();
  size_t common = std::string_view::npos;
  for (size_t i = first_follows_mark ? 1 : 0; i < lines.size(); ++i) {
    if (!is_blank(lines[i])) common = std::min(common, indentation(lines[i]));
  }
  std::string joined;
  for (size_t i = 0; i < lines.size() && joined.size() < max_bytes; ++i) {
    if (i > 0) joined += '\n';
    if (i == 0 && first_follows_mark) {
      joined += lines[i];
    } else if (!is_blank(lines[i])) {
      joined += lines[i].substr(common);
    }
  }
  joined.resize(cut_utf8(joined, max_bytes).size());
  return joined;
}

}  // namespace

std::string_view cut_utf8(std::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  size_t end = max_bytes;
  while (end > 0 && is_continuation(text[end])) --end;
  return text.substr(0, end);
}

std::string fold(std::string_view bytes, ByteRange range, std::span<const ByteRange> skip, size_t max_bytes) {
  std::string line;
  auto next = std::lower_bound(skip.begin(), skip.end(), range.start,
                               [](const ByteRange& piece, uint32_t start) { return piece.start < start; });
  bool space = false, is_ours = false;  // a blank, and one that nobody wrote there
  const auto add_space = [&](char behind) {
    const bool is_end = behind == ')' || behind == ']';
    const bool is_inside = is_end || line.back() == '(' || line.back() == '[';
    if (is_ours && is_end && line.back() == ',') line.pop_back();
    if (!is_ours || !is_inside) line += ' ';
  };
  for (uint32_t i = range.start; i < range.end; ++i) {
    while (next != skip.end() && next->start < i) ++next;
    if (next != skip.end() && next->start == i && next->end > i) {
      i = std::min(next->end, range.end) - 1;
      space = is_ours = true;
      continue;
    }
    if (is_space(bytes[i])) {
      space = true;
      is_ours = is_ours || bytes[i] == '\n';
      continue;
    }
    if (space && !line.empty()) add_space(bytes[i]);
    space = is_ours = false;
    line += bytes[i];
    if (line.size() > max_bytes) break;
  }
  line.resize(cut_utf8(line, max_bytes).size());
  return line;
}

bool has_word(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !is_identifier(text[at - 1])) && (end == text.size() || !is_identifier(text[end])))
      return true;
  }
  return false;
}

std::string_view unquote(std::string_view literal) {
  literal = ascii::trim_space(literal);
  const size_t quote = literal.find_first_of("\"'`<");
  // Prefixes such as r, b, u8, f or @ stand before the quote; anything longer is no literal.
  if (quote == std::string_view::npos || quote > 3) return literal;
  const char open = literal[quote];
  const char close = open == '<' ? '>' : open;
  std::string_view inner = literal.substr(quote);
  const std::string_view triple = inner.substr(0, 3);
  if (inner.size() >= 6 && triple.find_first_not_of(open) == std::string_view::npos &&
      inner.ends_with(triple)) {
    return inner.substr(3, inner.size() - 6);
  }
  if (inner.size() < 2 || inner.back() != close) return literal;
  return inner.substr(1, inner.size() - 2);
}

std::string strip_comment(std::string_view comment, std::string_view line_comment,
                          std::string_view block_comment, size_t max_bytes) {
  comment = ascii::trim_space(comment);
  const size_t gap = block_comment.find(' ');
  const std::string_view open = block_comment.substr(0, gap);
  const std::string_view close = gap == std::string_view::npos ? "" : block_comment.substr(gap + 1);
  const bool is_block = !open.empty() && comment.starts_with(open);
  if (is_block) {
    if (comment.size() >= open.size() + close.size() && comment.ends_with(close))
      comment.remove_suffix(close.size());
    drop_marks(comment, open);
  }
  // Cutting early keeps a huge comment from being split into lines that nobody reads.
  auto lines = split_lines(cut_utf8(comment, max_bytes * 2));
  const bool is_line_comment = !is_block && !line_comment.empty() && comment.starts_with(line_comment);
  for (auto& line : lines) {
    std::string_view rest = line.substr(indentation(line));
    if (is_block) {
      if (!rest.starts_with('*') || open.find('*') == std::string_view::npos) continue;
      while (rest.starts_with('*')) rest.remove_prefix(1);
      line = rest;
    } else if (!line_comment.empty() && rest.starts_with(line_comment)) {
      drop_marks(rest, line_comment);
      line = rest;
    }
  }
  return join_without_indentation(std::move(lines), !is_line_comment, max_bytes);
}

bool repair_utf8(std::string_view bytes, std::string& repaired) {
  size_t i = 0;
  bool changed = false;
  while (i < bytes.size()) {
    uint64_t block = 0;
    if (i + sizeof block <= bytes.size()) {
      std::memcpy(&block, bytes.data() + i, sizeof block);
      if ((block & 0x8080808080808080ULL) == 0) {
        i += sizeof block;
        continue;
      }
    }
    const size_t length = sequence_length(bytes.substr(i));
    if (length == 0) {
      if (!changed) repaired = std::string(bytes);
      changed = true;
      repaired[i] = '?';
      ++i;
    } else {
      i += length;
    }
  }
  return changed;
}

}  // namespace knapsack::code

// Pieces of source as one line of text: folding, cutting, stripping of comment marks. Pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/ascii.h"

namespace knapsack::code {

struct ByteRange {
  uint32_t start = 0;
  uint32_t end = 0;
};

// Bytes above ASCII are letters far more often than not.
inline bool is_identifier(char c) {
  return ascii::is_word(c);
}
using ascii::is_space;

// The longest prefix of at most max_bytes that does not end inside a UTF-8 sequence.
std::string_view cut_utf8(std::string_view text, size_t max_bytes);

// bytes[start, end) on one line: runs of white space become one space, the ranges of `skip` (sorted by start)
// vanish. Where a line ended or something vanished, no space stands inside a bracket and no comma before its end:
// "f(\n  a,\n)" is "f(a)". Stops at max_bytes.
std::string fold(std::string_view bytes, ByteRange range, std::span<const ByteRange> skip, size_t max_bytes);

// True when `word` occurs in `text` with no identifier character on either side.
bool has_word(std::string_view text, std::string_view word);

// A string literal without its quotes ("x", 'x', `x`, """x""", r"x", <x>).
std::string_view unquote(std::string_view literal);

// A comment or docstring as prose: marks and quotes removed, common indentation removed, blank edges removed.
std::string strip_comment(std::string_view comment, std::string_view line_comment,
                          std::string_view block_comment, size_t max_bytes);

// Equal length, every byte that is not part of valid UTF-8 replaced by '?'; false where nothing had to be
// replaced.
bool repair_utf8(std::string_view bytes, std::string& repaired);

}  // namespace knapsack::code

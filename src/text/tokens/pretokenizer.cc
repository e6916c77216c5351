#include "text/tokens/pretokenizer.h"

#include <cstdint>

#include "core/ascii.h"
#include "text/unicode/code_point_class.h"
#include "text/unicode/utf8.h"

namespace knapsack {
namespace {

struct PieceCharacter {
  CodePointClass is = 0;  // 0 at the end of the text: no mask matches it
  uint32_t size = 0;
};

inline PieceCharacter piece_character(std::string_view text, size_t at) {
  if (at >= text.size()) return {};
  const char c = text[at];
  if (static_cast<uint8_t>(c) < 0x80) return {class_of_ascii(c), 1};
  const DecodedCodePoint decoded = decode_code_point(text.substr(at));
  return {class_of(decoded.value), decoded.size};
}

// The end of the run of these classes that begins at `at`.
inline size_t skip(std::string_view text, size_t at, CodePointClass mask) {
  for (;;) {
    const PieceCharacter c = piece_character(text, at);
    if ((c.is & mask) == 0) return at;
    at += c.size;
  }
}

// (?i:'s|'t|'re|'ve|'m|'ll|'d) at `at`: its length, or 0. Case-insensitive by simple case folding, as the
// reference does it: U+017F LATIN SMALL LETTER LONG S folds to s. No other letter here has a fold outside
// ASCII.
inline size_t contraction(std::string_view text, size_t at) {
  if (at >= text.size() || text[at] != '\'') return 0;
  const std::string_view rest = text.substr(at + 1, 2);
  if (rest.empty()) return 0;
  const char first = ascii::lower(rest[0]);
  if (first == 's' || first == 't' || first == 'm' || first == 'd') return 2;
  if (rest.size() < 2) return 0;
  if (rest == "\xC5\xBF") return 3;
  const char second = ascii::lower(rest[1]);
  const bool matches = ((first == 'r' || first == 'v') && second == 'e') || (first == 'l' && second == 'l');
  return matches ? 3 : 0;
}

// \p{N}{1,3} where the first is known to match and ends at `at`.
inline size_t end_of_number(std::string_view text, size_t at) {
  for (int more = 0; more < 2; ++more) {
    const PieceCharacter c = piece_character(text, at);
    if ((c.is & kNumber) == 0) break;
    at += c.size;
  }
  return at;
}

//  ?[^\s\p{L}\p{N}]+ at the beginning: its length, or 0.
inline size_t end_of_symbols(std::string_view text) {
  const size_t begin = text.front() == ' ' ? 1 : 0;
  const size_t end = skip(text, begin, kOther | kMark);
  return end == begin ? 0 : end;
}

// \s*[\r\n]+|\s+(?!\S)|\s+ at the beginning, where a white space is known to be. Greedy and backtracking as
// an engine would: up to the last line break of the run; else the run but for the last character, which the
// next piece wants as its prefix; else the run.
size_t end_of_space(std::string_view text) {
  size_t end = 0;
  size_t last = 0;
  size_t after_line_break = 0;
  for (;;) {
    const PieceCharacter c = piece_character(text, end);
    if ((c.is & kSpace) == 0) break;
    last = end;
    end += c.size;
    if (c.is == kLineBreak) after_line_break = end;
  }
  if (after_line_break > 0) return after_line_break;
  return end == text.size() || last == 0 ? end : last;
}

// The two word alternatives of o200k after their prefix, where a letter or a mark is known to be at `begin`.
//
// U = [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}] and L = [\p{Ll}\p{Lm}\p{Lo}\p{M}] share the caseless characters. U*L+
// first: the longest run of U, and the run of L after it. If no L comes after it, the engine gives characters
// of U back until one of them is an L too, which is the last caseless one. If there is none, U+L* takes the
// run.
inline size_t end_of_o200k_word(std::string_view text, size_t begin) {
  size_t at = begin;
  size_t after_caseless = 0;
  for (;;) {
    const PieceCharacter c = piece_character(text, at);
    if (c.is & kLower) return skip(text, at + c.size, kLower | kCaselessLetter | kMark);
    if ((c.is & (kUpper | kCaselessLetter | kMark)) == 0) break;
    at += c.size;
    if (c.is != kUpper) after_caseless = at;
  }
  return after_caseless > 0 ? after_caseless : at;
}

}  // namespace

size_t first_piece_cl100k(std::string_view text) {
  const PieceCharacter first = piece_character(text, 0);
  if (first.is & kLetter) return skip(text, first.size, kLetter);
  if (first.is & kNumber) return end_of_number(text, first.size);
  if (const size_t length = contraction(text, 0)) return length;
  if (first.is != kLineBreak) {
    const PieceCharacter second = piece_character(text, first.size);
    if (second.is & kLetter) return skip(text, first.size + second.size, kLetter);
  }
  if (const size_t end = end_of_symbols(text)) return skip(text, end, kLineBreak);
  return end_of_space(text);
}

size_t first_piece_o200k(std::string_view text) {
  const PieceCharacter first = piece_character(text, 0);
  if (first.is & kNumber) return end_of_number(text, first.size);
  if (first.is != kLineBreak) {
    // A mark may be the prefix of a word as well as its beginning; the piece ends at the same place.
    const size_t begin = first.is & (kLetter | kMark) ? 0 : first.size;
    if (piece_character(text, begin).is & (kLetter | kMark)) {
      const size_t end = end_of_o200k_word(text, begin);
      return end + contraction(text, end);
    }
  }
  if (size_t end = end_of_symbols(text)) {
    while (end < text.size() && (text[end] == '\r' || text[end] == '\n' || text[end] == '/')) ++end;
    return end;
  }
  return end_of_space(text);
}

}  // namespace knapsack

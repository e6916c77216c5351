// UTF-8 as it comes from outside: every function takes any bytes.
//
// One rule for what is not UTF-8, the one of the Unicode standard (3.9, "maximal subparts") that web browsers
// and Python's errors="replace" follow too: the longest prefix of a well-formed sequence that stops short, or
// else a single byte, stands for one U+FFFD. utf8proc refuses such bytes without saying how many of them go
// together, hence a decoder of our own. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace knapsack {

inline constexpr char32_t kReplacementCharacter = 0xFFFD;

struct DecodedCodePoint {
  char32_t value = kReplacementCharacter;
  uint32_t size = 1;   // bytes that it takes in the text, at least 1
  bool valid = false;  // false: these bytes are not UTF-8 and the value is U+FFFD
};

// The code point at the beginning of a text that is not empty.
inline DecodedCodePoint decode_code_point(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};

  // The second byte alone tells overlong forms, surrogates and values above U+10FFFF apart (table 3-7).
  uint32_t length = 0;
  uint8_t low = 0x80;
  uint8_t high = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return {};
  }
  if (text.size() < 2 || byte(1) < low || byte(1) > high) return {};

  char32_t value = ((lead & (0x7FU >> length)) << 6) | (byte(1) & 0x3FU);
  for (uint32_t i = 2; i < length; ++i) {
    if (i >= text.size() || (byte(i) & 0xC0) != 0x80) return {kReplacementCharacter, i, false};
    value = (value << 6) | (byte(i) & 0x3FU);
  }
  return {value, length, true};
}

// Appends a code point of at most U+10FFFF that is not a surrogate.
void append_code_point(std::string& text, char32_t code_point);

bool valid_utf8(std::string_view text);

// Code points, where each byte that belongs to none counts as one: never fewer than the sanitized text has.
size_t count_code_points(std::string_view text);

// The longest beginning of at most `max_bytes` that ends between two code points.
std::string_view utf8_prefix(std::string_view text, size_t max_bytes);

// The first `count` code points, or all of them.
std::string_view first_code_points(std::string_view text, size_t count);

// The text with U+FFFD for what is not UTF-8.
std::string replace_invalid_utf8(std::string_view text);

// The same, and without a byte order mark at its start: how a text that was read from outside is kept.
// A text that is clean already is handed on as it is.
std::string sanitize_utf8(std::string text);

}  // namespace knapsack

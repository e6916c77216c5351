// The bytes of UTF-8: what they stand for, and where one may cut between them. Every function takes any bytes.
//
// One rule for what is not UTF-8, the one of the Unicode standard (3.9, "maximal subparts") that web browsers
// and Python's errors="replace" follow too: the longest prefix of a well-formed sequence that stops short, or
// else a single byte, stands for one U+FFFD. utf8proc refuses such bytes without saying how many of them go
// together, hence a decoder of our own. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace knapsack {

inline constexpr char32_t kReplacementCharacter = 0xFFFD;

// Whether a byte goes on with a code point that began before it.
constexpr bool continues_code_point(char byte) {
  return (static_cast<uint8_t>(byte) & 0xC0) == 0x80;
}

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
    if (i >= text.size() || !continues_code_point(text[i])) return {kReplacementCharacter, i, false};
    value = (value << 6) | (byte(i) & 0x3FU);
  }
  return {value, length, true};
}

// The longest beginning of at most `max_bytes` that ends between two code points.
inline std::string_view utf8_prefix(std::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  size_t end = max_bytes;
  while (end > 0 && continues_code_point(text[end])) --end;
  return text.substr(0, end);
}

}  // namespace knapsack

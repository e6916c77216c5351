#include "text/unicode/utf8.h"

#include <gtest/gtest.h>
#include <utf8proc.h>

#include <string>
#include <vector>

namespace knapsack {
namespace {

using namespace std::string_literals;

TEST(Utf8, EveryCodePointDecodesToItself) {
  for (char32_t code_point = 0; code_point <= 0x10FFFF; ++code_point) {
    if (code_point >= 0xD800 && code_point <= 0xDFFF) continue;
    std::string text;
    append_code_point(text, code_point);
    const DecodedCodePoint decoded = decode_code_point(text + "x");
    ASSERT_TRUE(decoded.valid) << std::hex << static_cast<uint32_t>(code_point);
    ASSERT_EQ(decoded.value, code_point);
    ASSERT_EQ(decoded.size, text.size());
    ASSERT_TRUE(valid_utf8(text));
    ASSERT_EQ(count_code_points(text), 1U);
  }
}

// Exhaustive over what decides: lead byte, second byte and one byte more, against utf8proc's verdict.
TEST(Utf8, AgreesWithUtf8procOnWhatIsValid) {
  const std::string tails[] = {"", "\x80", "\xBF", "\x80\x80", "\xBF\xBF", "\x80x", "x"};
  for (int lead = 0; lead < 256; ++lead) {
    for (int second = 0; second < 256; ++second) {
      for (const std::string& tail : tails) {
        const std::string text = std::string{static_cast<char>(lead), static_cast<char>(second)} + tail;
        utf8proc_int32_t value = 0;
        const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                           static_cast<utf8proc_ssize_t>(text.size()), &value);
        const DecodedCodePoint decoded = decode_code_point(text);
        ASSERT_EQ(decoded.valid, size > 0) << lead << ' ' << second << ' ' << tail.size();
        if (decoded.valid) {
          ASSERT_EQ(decoded.size, static_cast<uint32_t>(size));
          ASSERT_EQ(decoded.value, static_cast<char32_t>(value));
        }
      }
    }
  }
}

struct Utf8Case {
  std::string bytes;
  std::string sanitized;
  size_t code_points;
};

TEST(Utf8, SanitizingReplacesEachMaximalInvalidSequence) {
  const std::string r = "\xEF\xBF\xBD";
  const std::vector<Utf8Case> cases = {
      {"", "", 0},
      {"plain", "plain", 5},
      {"\xD1\x91\xE4\xB8\xAD\xF0\x9F\x98\x80", "\xD1\x91\xE4\xB8\xAD\xF0\x9F\x98\x80", 3},
      {"a\xFFz", "a" + r + "z", 3},
      {"\x80\x80", r + r, 2},                  // continuation bytes of nothing
      {"\xC0\xAF", r + r, 2},                  // overlong
      {"\xE0\x80\x80", r + r + r, 3},          // overlong, three bytes
      {"\xED\xA0\x80", r + r + r, 3},          // a surrogate
      {"\xF4\x90\x80\x80", r + r + r + r, 4},  // above U+10FFFF
      {"\xE4\xB8", r, 2},                      // cut off at the end: one replacement, two bytes
      {"\xF0\x9F\x98z", r + "z", 4},           // cut off by a letter
      {"\xF0\x9F\x98\xF0\x9F\x98\x80", r + "\xF0\x9F\x98\x80", 4},
      {"\xF1\x80\x80\xE1\x80\xC2"
       "b\x80"
       "c\x80\xBF"
       "d",
       r + r + r + "b" + r + "c" + r + r + "d", 12},
      {"eight---\xFF"
       "eight---"s,
       "eight---" + r + "eight---", 17},
      {"nul\0nul"s, "nul\0nul"s, 7},
  };
  for (const Utf8Case& c : cases) {
    EXPECT_EQ(sanitize_utf8(c.bytes), c.sanitized) << ::testing::PrintToString(c.bytes);
    EXPECT_EQ(count_code_points(c.bytes), c.code_points) << ::testing::PrintToString(c.bytes);
    EXPECT_EQ(valid_utf8(c.bytes), c.bytes == c.sanitized) << ::testing::PrintToString(c.bytes);
    EXPECT_TRUE(valid_utf8(c.sanitized));
    EXPECT_EQ(sanitize_utf8(c.sanitized), c.sanitized) << "sanitizing twice changes nothing";
  }
}

TEST(Utf8, OnlyTheByteOrderMarkAtTheStartIsRemoved) {
  const std::string bom = "\xEF\xBB\xBF";
  EXPECT_EQ(sanitize_utf8(bom + "a" + bom), "a" + bom);
  EXPECT_EQ(sanitize_utf8(bom + bom), bom);
  EXPECT_EQ(sanitize_utf8(bom), "");
  EXPECT_EQ(sanitize_utf8("\xEF\xBB"), "\xEF\xBF\xBD") << "half a mark is an invalid sequence";
  EXPECT_EQ(count_code_points(bom + "a"), 2U) << "counting counts what is there";
}

}  // namespace
}  // namespace knapsack

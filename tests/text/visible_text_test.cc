// What needs marks is found eight bytes at a time; regress/content_neutral_test.cc holds what the marks are.
#include "text/unicode/visible_text.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace knapsack {
namespace {

TEST(VisibleText, NeedsMarksWhereverOneByteDoesAndNowhereElse) {
  for (int byte = 0; byte < 256; ++byte) {
    for (size_t at = 0; at < 20; ++at) {
      std::string text(20, 'a');
      text[at] = static_cast<char>(byte);
      const bool is_plain = byte == '\t' || byte == '\n' || (byte >= 0x20 && byte < 0x7f);
      EXPECT_EQ(needs_marks(text), !is_plain) << byte << " at " << at;
    }
  }
}

TEST(VisibleText, NeedsMarksExactlyWhereMarkingChangesATextOfAnyParts) {
  constexpr std::array<std::string_view, 14> kParts = {"a",
                                                       "code()",
                                                       "\n",
                                                       "\t",
                                                       " ",
                                                       "—",
                                                       "é",
                                                       "漢",
                                                       "\u2029",
                                                       "\u202e",
                                                       "\r",
                                                       "\x7f",
                                                       "😀",
                                                       "\xE2\x80"
                                                       "b"};
  std::mt19937 random(20261118);
  size_t marked = 0;
  constexpr int kTexts = 20'000;
  for (int i = 0; i < kTexts; ++i) {
    // Most texts have nothing to mark, so that both answers are met.
    const size_t parts = i % 4 == 0 ? kParts.size() : 8;
    std::string text;
    for (size_t left = random() % 30; left > 0; --left) text += kParts[random() % parts];
    EXPECT_EQ(needs_marks(text), visible_text(text) != text) << text;
    marked += needs_marks(text) ? 1 : 0;
  }
  EXPECT_GT(marked, kTexts / 5);
  EXPECT_LT(marked, kTexts / 2);
}

}  // namespace
}  // namespace knapsack

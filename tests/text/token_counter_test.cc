#include "text/tokens/token_counter.h"

#include "support/support.h"
#include "support_reference.h"

namespace knapsack {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const TokenCounter& counter(std::string_view name) {
  const auto found = find_token_counter(name);
  if (!found.ok()) throw std::runtime_error(found.error().line());
  return **found;
}

TEST(TokenCounter, IsFoundByItsName) {
  EXPECT_THAT(token_counter_names(), ElementsAre("chars4", "bytes4", "cl100k", "o200k"));
  for (const std::string& name : token_counter_names()) EXPECT_EQ(counter(name).name(), name);
}

TEST(TokenCounter, UnknownNameIsAUsageErrorThatListsTheKnownOnes) {
  for (const char* name : {"", "gpt2", "O200K", "o200k_base", "chars4 "}) {
    const auto found = find_token_counter(name);
    ASSERT_FALSE(found.ok()) << name;
    EXPECT_EQ(found.error().code, ErrorCode::kUsage);
    EXPECT_THAT(found.error().what, HasSubstr("'" + std::string(name) + "'"));
    EXPECT_THAT(found.error().next, HasSubstr("chars4, bytes4, cl100k, o200k"));
  }
}

TEST(TokenCounter, CountsByItsOwnUnit) {
  struct Case {
    const char* text;
    uint64_t chars4, bytes4, cl100k, o200k;
  };
  // The exact counts are the published implementation's.
  const Case cases[] = {
      {"", 0, 0, 0, 0},
      {"a", 1, 1, 1, 1},
      {"four", 1, 1, 1, 1},
      {"five5", 2, 2, 2, 2},
      {"hello, world\n", 4, 4, 4, 4},
      {"Привет", 2, 3, 3, 2},
      {"\xFF\xFF\xFF\xFF\xFF", 2, 2, 2, 2},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(counter("chars4").count(c.text), c.chars4) << c.text;
    EXPECT_EQ(counter("bytes4").count(c.text), c.bytes4) << c.text;
    EXPECT_EQ(counter("cl100k").count(c.text), c.cl100k) << c.text;
    EXPECT_EQ(counter("o200k").count(c.text), c.o200k) << c.text;
  }
}

TEST(TokenCounter, RoundsUpOnceOverAllUnits) {
  EXPECT_EQ(counter("chars4").units("abcde"), 5U);
  EXPECT_EQ(counter("chars4").units("中文\xFF"), 3U) << "a byte of no code point counts as one";
  EXPECT_EQ(counter("bytes4").units("中文"), 6U);
  EXPECT_EQ(counter("bytes4").to_tokens(5 + 5 + 2), 3U);
  EXPECT_EQ(counter("o200k").to_tokens(12), 12U);
}

// What the packer builds on: pieces that end with a line feed cost the same alone and together.
TEST(TokenCounter, UnitsAddUpOverPiecesThatEndWithALineFeed) {
  std::mt19937 random(4711);
  for (const std::string& name : token_counter_names()) {
    const TokenCounter& c = counter(name);
    for (int round = 0; round < 2000; ++round) {
      std::string whole;
      uint64_t sum = 0;
      for (size_t pieces = 2 + random() % 4; pieces > 0; --pieces) {
        std::string piece = testing::random_text(random, 30) + "\n";
        // Any other beginning than white space or '/' will do; these are the ones that could join most.
        piece.insert(
            0, std::vector<std::string>{"x", "'s", "!", "9", "é", "\u0301", "文", "\xFF", "<"}[random() % 9]);
        sum += c.units(piece);
        whole += piece;
      }
      ASSERT_EQ(c.units(whole), sum) << name << ' ' << ::testing::PrintToString(whole);
    }
  }
}

TEST(TokenCounter, UnitsNeedNotAddUpElsewhere) {
  EXPECT_NE(counter("o200k").units("a\n\nb"), counter("o200k").units("a\n") + counter("o200k").units("\nb"));
  EXPECT_NE(counter("o200k").units("!\n//b"), counter("o200k").units("!\n") + counter("o200k").units("//b"));
}

}  // namespace
}  // namespace knapsack

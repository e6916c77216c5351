#include "serve/mcp/line_reader.h"

#include <random>
#include <string>
#include <vector>

#include "support/support.h"

namespace knapsack::serve {
namespace {

using ::testing::ElementsAre;

constexpr const char* kTooLong = "<too long>";

std::vector<std::string> read(const std::vector<std::string>& pieces, size_t max) {
  std::vector<std::string> lines;
  LineReader reader(
      max, [&](std::string_view line) { lines.emplace_back(line); }, [&] { lines.emplace_back(kTooLong); });
  for (const std::string& piece : pieces) reader.feed(piece);
  reader.finish();
  return lines;
}

TEST(LineReader, CutsLinesWhereverThePiecesEnd) {
  EXPECT_THAT(read({"a", "b\nc", "\n", "\nd"}, 10), ElementsAre("ab", "c", "", "d"));
}

TEST(LineReader, TakesAwayTheCarriageReturnOfALineEndOnly) {
  EXPECT_THAT(read({"a\r\nb\rc\r", "\nd\r"}, 10), ElementsAre("a", "b\rc", "d"));
}

TEST(LineReader, TellsOfEachLineThatIsTooLongOnceAndGoesOn) {
  EXPECT_THAT(read({"12345\n123456\n1", "23456", "789\nok\n1234567"}, 5),
              ElementsAre("12345", kTooLong, kTooLong, "ok", kTooLong));
}

TEST(LineReader, ALineOfTheLimitMayEndWithACarriageReturn) {
  EXPECT_THAT(read({"12345\r\n", "123456\r\n"}, 5), ElementsAre("12345", kTooLong));
}

TEST(LineReader, GivesTheSameLinesHoweverTheBytesAreCut) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 500; ++round) {
    std::string text;
    for (size_t i = random() % 200; i > 0; --i) text += "ab\r\n\n"[random() % 5];
    const auto whole = read({text}, 6);
    std::vector<std::string> pieces;
    for (size_t at = 0; at < text.size();) {
      pieces.push_back(text.substr(at, 1 + random() % 9));
      at += pieces.back().size();
    }
    EXPECT_EQ(read(pieces, 6), whole);
  }
}

}  // namespace
}  // namespace knapsack::serve

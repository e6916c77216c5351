#include "text/tokens/pretokenizer.h"

#include "support/support.h"
#include "support_reference.h"
#include "text/unicode/utf8.h"

namespace knapsack {
namespace {

using Pieces = std::vector<std::string>;

Pieces split(FirstPiece first_piece, std::string_view text) {
  Pieces pieces;
  while (!text.empty()) {
    const size_t size = first_piece(text);
    if (size == 0 || size > text.size()) throw std::runtime_error("a piece must have bytes of the text");
    pieces.emplace_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return pieces;
}

struct Pattern {
  const char* reference_name;
  FirstPiece first_piece;
};

class Pretokenizer : public ::testing::TestWithParam<Pattern> {
 protected:
  // Tokens show where most borders are, but not those that no token crosses: this compares the borders
  // themselves.
  void expect_reference_pieces(const std::vector<std::string>& texts) {
    const auto expected = testing::reference_pieces(GetParam().reference_name, texts);
    for (size_t i = 0; i < texts.size(); ++i) {
      std::vector<uint32_t> lengths;
      for (const std::string& piece : split(GetParam().first_piece, replace_invalid_utf8(texts[i]))) {
        lengths.push_back(static_cast<uint32_t>(piece.size()));
      }
      ASSERT_EQ(lengths, expected[i]) << ::testing::PrintToString(texts[i].substr(0, 2000));
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Patterns, Pretokenizer,
                         ::testing::Values(Pattern{"cl100k_base", first_piece_cl100k},
                                           Pattern{"o200k_base", first_piece_o200k}),
                         [](const auto& pattern) { return std::string(pattern.param.reference_name); });

TEST_P(Pretokenizer, CutsTheCorpusWhereThePublishedPatternDoes) {
  std::vector<std::string> texts;
  for (const auto& fixture : testing::token_fixtures()) texts.push_back(fixture.bytes);
  ASSERT_GE(texts.size(), 15U) << "the corpus is missing";
  expect_reference_pieces(texts);
}

TEST_P(Pretokenizer, CutsRandomTextsWhereThePublishedPatternDoes) {
  std::mt19937 random(16);
  std::vector<std::string> texts;
  for (int i = 0; i < 50000; ++i) texts.push_back(testing::random_text(random, 30));
  expect_reference_pieces(texts);
}

TEST(PretokenizerPieces, KeepsContractionsApartInCl100kAndWithTheirWordInO200k) {
  EXPECT_EQ(split(first_piece_cl100k, "we'Ll go"), (Pieces{"we", "'Ll", " go"}));
  EXPECT_EQ(split(first_piece_o200k, "we'Ll go"), (Pieces{"we'Ll", " go"}));
  EXPECT_EQ(split(first_piece_cl100k, "'sx"), (Pieces{"'s", "x"}));
  EXPECT_EQ(split(first_piece_o200k, "'sx"), (Pieces{"'sx"}));
}

TEST(PretokenizerPieces, CutsWordsOfO200kWhereTheCaseRises) {
  EXPECT_EQ(split(first_piece_o200k, "parseHTTPRequest"), (Pieces{"parse", "HTTPRequest"}));
  EXPECT_EQ(split(first_piece_o200k, "中文AB"), (Pieces{"中文", "AB"}));
  EXPECT_EQ(split(first_piece_o200k, "中文ABc"), (Pieces{"中文ABc"}));
  EXPECT_EQ(split(first_piece_cl100k, "parseHTTPRequest"), (Pieces{"parseHTTPRequest"}));
}

TEST(PretokenizerPieces, LeavesTheLastBlankToTheNextWord) {
  for (const FirstPiece first_piece : {first_piece_cl100k, first_piece_o200k}) {
    EXPECT_EQ(split(first_piece, "a   b"), (Pieces{"a", "  ", " b"}));
    EXPECT_EQ(split(first_piece, "a   1"), (Pieces{"a", "  ", " ", "1"}));
    EXPECT_EQ(split(first_piece, "a  \n  b"), (Pieces{"a", "  \n", " ", " b"}));
    EXPECT_EQ(split(first_piece, "a   "), (Pieces{"a", "   "}));
    EXPECT_EQ(split(first_piece, "\u3000\u3000x"), (Pieces{"\u3000", "\u3000x"}));
  }
}

}  // namespace
}  // namespace knapsack

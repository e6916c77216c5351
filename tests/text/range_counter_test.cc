#include "text/tokens/range_counter.h"

#include "support/support.h"
#include "support_reference.h"

namespace knapsack {
namespace {

// The property: what a counter says of the bytes of a range alone. One object a counter serves all texts, so
// that nothing may be left over from the text before.
class Ranges : public ::testing::TestWithParam<std::string> {
 protected:
  Ranges() : counter_(**find_token_counter(GetParam())), ranges_(counter_) {}

  void read(const std::string& text) {
    text_ = text;
    ranges_.reset(text_);
  }
  void expect_exact(size_t begin, size_t end) {
    const std::string_view range = std::string_view(text_).substr(begin, end - begin);
    ASSERT_EQ(ranges_.tokens(begin, end), counter_.count(range))
        << begin << " to " << end << ": " << ::testing::PrintToString(range.substr(0, 2000));
  }
  void expect_exact_everywhere(const std::string& text) {
    read(text);
    for (size_t begin = 0; begin <= text.size(); ++begin) {
      for (size_t end = begin; end <= text.size(); ++end) expect_exact(begin, end);
    }
  }
  // Ranges of whole lines, as chunks and symbols are, and of any bytes.
  void expect_exact_at_random(std::mt19937& random, int rounds) {
    std::vector<size_t> line_starts = {0};
    for (size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] == '\n') line_starts.push_back(i + 1);
    }
    line_starts.push_back(text_.size());
    const auto a_line = [&] { return line_starts[random() % line_starts.size()]; };
    const auto a_byte = [&] { return static_cast<size_t>(random() % (text_.size() + 1)); };
    for (int i = 0; i < rounds; ++i) {
      size_t a = i % 2 == 0 ? a_line() : a_byte();
      size_t b = i % 3 == 0 ? a_line() : a_byte();
      expect_exact(std::min(a, b), std::max(a, b));
    }
  }

  const TokenCounter& counter_;
  RangeCounter ranges_;
  std::string text_;
};

INSTANTIATE_TEST_SUITE_P(Counters, Ranges, ::testing::ValuesIn(token_counter_names()),
                         [](const auto& name) { return name.param; });

TEST_P(Ranges, OfTheCorpusCountAsTheirBytesDoAlone) {
  std::mt19937 random(20261115);
  const auto fixtures = testing::token_fixtures();
  ASSERT_GE(fixtures.size(), 15U) << "the corpus is missing";
  std::string everything;
  for (const auto& fixture : fixtures) {
    read(fixture.bytes);
    expect_exact_at_random(random, 1500);
    everything += fixture.bytes;
  }
  read(everything);
  expect_exact(0, everything.size());
  expect_exact_at_random(random, 1000);
}

TEST_P(Ranges, OfRandomTextsCountAsTheirBytesDoAlone) {
  std::mt19937 random(99);
  for (int i = 0; i < 4000; ++i) {
    read(testing::random_text(random, 60));
    expect_exact_at_random(random, 10);
  }
}

TEST_P(Ranges, OfShortTextsCountAsTheirBytesDoAloneWhereverTheyAreCut) {
  std::mt19937 random(5);
  for (int i = 0; i < 60; ++i) expect_exact_everywhere(testing::random_text(random, 14));
}

// The texts at whose borders a cut changes the pieces: blanks before a word or a digit, line breaks of both
// kinds, contractions, groups of digits, symbols with line breaks or slashes, changes of case.
TEST_P(Ranges, OfTextsWhoseCutsLookAheadCountAsTheirBytesDoAlone) {
  for (const char* text : {"", "a", "a   b", "a   1", "  \n  \n\n  x  ", "a \r\n\r\n \r b", "x\t\t\ty \t \t1",
                           "we'll they'Re 'sx'", "1234567890123 4567", "!\n//\n/ /\n", "parseHTTPRequestABc",
                           "\u3000\u3000x\u3000\u30001 \u0085 z", "中文AB中文ABc", "e\u0301\u0301 \u0301x",
                           "a\xFF\xFF  \xE4\xB8  \xF0\x9F\x98 b\xC3", "\xE4\xB8", "😀  😀"}) {
    expect_exact_everywhere(text);
  }
}

TEST_P(Ranges, OfOneHugePieceCountAsTheirBytesDoAlone) {
  std::mt19937 random(3);
  for (const char letter : {'a', '=', ' ', '\n', '7'}) {
    read("x " + std::string(3000, letter) + " y");
    expect_exact_at_random(random, 60);
  }
}

}  // namespace
}  // namespace knapsack

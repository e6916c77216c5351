#include "text/tokens/bpe.h"

#include <ctime>
#include <functional>

#include "support/support.h"
#include "support_reference.h"
#include "text/tokens/byte_pair_merge.h"
#include "text/unicode/utf8.h"

namespace knapsack {
namespace {

struct Encoding {
  const char* reference_name;
  const BpeEncoding& ours;
};

class Bpe : public ::testing::TestWithParam<Encoding> {
 protected:
  // Token for token, and a count that agrees with the tokens.
  void expect_reference_tokens(const std::vector<std::string>& texts) {
    const auto expected = testing::reference_tokens(GetParam().reference_name, texts);
    ASSERT_EQ(expected.size(), texts.size());
    for (size_t i = 0; i < texts.size(); ++i) {
      ASSERT_EQ(GetParam().ours.encode(texts[i]), expected[i])
          << ::testing::PrintToString(texts[i].substr(0, 2000));
      ASSERT_EQ(GetParam().ours.count(texts[i]), expected[i].size());
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Encodings, Bpe,
                         ::testing::Values(Encoding{"cl100k_base", kCl100k}, Encoding{"o200k_base", kO200k}),
                         [](const auto& encoding) { return std::string(encoding.param.reference_name); });

TEST_P(Bpe, EncodesTheCorpusAsTheReferenceDoes) {
  std::vector<std::string> texts = {""};
  for (const auto& fixture : testing::token_fixtures()) texts.push_back(fixture.bytes);
  ASSERT_GE(texts.size(), 16U) << "the corpus is missing";
  expect_reference_tokens(texts);
}

// Every suffix begins the scan at another place and every prefix ends it there.
TEST_P(Bpe, EncodesEveryPrefixAndSuffixOfTrickyTextsAsTheReferenceDoes) {
  std::vector<std::string> texts;
  for (const auto& fixture : testing::token_fixtures()) {
    if (fixture.bytes.size() > 800) continue;
    for (size_t i = 0; i < fixture.bytes.size(); ++i) {
      texts.push_back(fixture.bytes.substr(i));
      texts.push_back(fixture.bytes.substr(0, i));
    }
  }
  ASSERT_GE(texts.size(), 1000U);
  expect_reference_tokens(texts);
}

TEST_P(Bpe, EncodesRandomTextsAsTheReferenceDoes) {
  std::mt19937 random(20261115);
  std::vector<std::string> texts;
  for (int i = 0; i < 20000; ++i) texts.push_back(testing::random_text(random, 40));
  for (int i = 0; i < 200; ++i) texts.push_back(testing::random_text(random, 2000));
  expect_reference_tokens(texts);
}

// For each code point, contexts in which its class (letter, mark, number, white space, other) changes the
// tokens: a letter holds a contraction together, a number shifts the grouping of the digits after it by one.
// One line a code point, 256 lines a text. Beyond plane 3 nothing but the tags and variation selectors of
// plane 14 is assigned.
TEST_P(Bpe, ClassifiesEveryCodePointAsTheReferenceDoes) {
  std::vector<std::string> texts;
  const auto add_block = [&texts](char32_t first) {
    std::string text;
    for (char32_t c = first; c < first + 256; ++c) {
      if (c >= 0xD800 && c <= 0xDFFF) continue;
      append_code_point(text, c);
      text += "'ll1";
      append_code_point(text, c);
      text += "234 ";
      append_code_point(text, c);
      text += " x\n";
    }
    texts.push_back(text);
  };
  for (char32_t block = 0; block < 0x40000; block += 256) add_block(block);
  for (char32_t block = 0x40000; block < 0x110000; block += 0x8000) add_block(block);
  for (char32_t block = 0xE0000; block < 0xE0200; block += 256) add_block(block);
  expect_reference_tokens(texts);
}

// Around the length from which pieces are merged with a heap, too.
TEST_P(Bpe, EncodesLongPiecesAsTheReferenceDoes) {
  static_assert(BytePairMerge::kLongPiece > 502 && BytePairMerge::kLongPiece < 512);
  std::mt19937 random(7);
  std::vector<std::string> texts;
  for (const char* unit : {"a", "=", " ", "\n", "ab", "的", "ё", "\u0301", "-_", "\t ", "😀"}) {
    for (const size_t size : {100, 500, 502, 503, 504, 505, 510, 512, 513, 5000}) {
      std::string text;
      while (text.size() < size) text += unit;
      texts.push_back(text);
    }
  }
  for (int i = 0; i < 300; ++i) {
    std::string letters(400 + random() % 200, ' ');
    for (char& c : letters) c = "etaoinshrdluETAOIN"[random() % 18];
    texts.push_back(letters);
  }
  expect_reference_tokens(texts);
}

TEST_P(Bpe, CountsInvalidBytesAsReplacementCharacters) {
  const BpeEncoding& encoding = GetParam().ours;
  EXPECT_EQ(encoding.encode("a\xFF"
                            "b"),
            encoding.encode("a\uFFFDb"));
  EXPECT_EQ(encoding.encode("\xF0\x9F\x98"), encoding.encode("\uFFFD"));
  EXPECT_EQ(encoding.encode("\xED\xA0\x80"), encoding.encode("\uFFFD\uFFFD\uFFFD"));
  EXPECT_EQ(encoding.count("x\xE4\xB8"), encoding.count("x\uFFFD"));
}

TEST_P(Bpe, TakesSpecialTokensForOrdinaryText) {
  const auto tokens = GetParam().ours.encode("<|endoftext|>");
  EXPECT_GT(tokens.size(), 1U);
}

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// A piece 25 times as long may take 25 times as long, a logarithm more, and again more because it has
// outgrown the caches; 625 times would be quadratic. The limit is half-way on a logarithmic scale. Processor
// time, and the best of three of the short one, because other work on the machine must not decide.
TEST_P(Bpe, TakesNearlyLinearTimeForOneHugePiece) {
  const auto seconds = [](const std::string& text, int times) {
    double best = 1e9;
    for (int i = 0; i < times; ++i) {
      const double start = processor_seconds();
      EXPECT_GT(GetParam().ours.count(text), 0U);
      best = std::min(best, processor_seconds() - start);
    }
    return best;
  };
  const std::pair<const char*, std::function<char(size_t)>> huge[] = {
      {"one letter", [](size_t) { return 'a'; }},
      {"one symbol", [](size_t) { return '='; }},
      {"blanks", [](size_t) { return ' '; }},
      {"line feeds", [](size_t) { return '\n'; }},
      {"letters without order", [](size_t i) { return "qzjxkvbw"[i * i * 2654435761U >> 7 & 7]; }},
      {"upper case", [](size_t i) { return static_cast<char>('A' + i * 7 % 26); }},
      {"blanks and line feeds", [](size_t i) { return i % 1000 == 0 ? '\n' : ' '; }},
  };
  for (const auto& [what, letter] : huge) {
    std::string text(1000000, ' ');
    for (size_t i = 0; i < text.size(); ++i) text[i] = letter(i);
    const double small = seconds(text.substr(0, 40000), 3);
    const double large = seconds(text, 2);
    // 25 times the text: quadratic work would take 625 times as long, and what others do to the caches some of that.
    EXPECT_LT(large / small, 300) << what << ": " << small << " s for 40 kB, " << large << " s for 1 MB";
  }
}

}  // namespace
}  // namespace knapsack

// The numbers of a text's words are those of the tokenizer that the models were trained with.
#include "meaning/wordpiece.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "meaning/bert_text.h"
#include "meaning/support_model.h"

namespace knapsack::meaning {
namespace {

using ::testing::ElementsAre;

TEST(WordPieceTest, GivesTheNumbersOfTheReferenceForTextsOfEveryKind) {
  const auto model = open_model();
  const auto rows = fixture_rows("texts.jsonl");
  ASSERT_GE(rows.size(), 1'000U);
  for (const nlohmann::json& row : rows) {
    EXPECT_EQ(tokenize(*model, text_of(row), 512), row["ids"].get<std::vector<int32_t>>()) << row.dump();
  }
}

TEST(WordPieceTest, KeepsTheBeginningOfALongTextAndItsEnds) {
  const auto model = open_model();
  const std::vector<int32_t> tokens = tokenize(*model, std::string(5'000, 'a') + " b c d e f", 5);
  ASSERT_EQ(tokens.size(), 5U);
  EXPECT_EQ(tokens.front(), static_cast<int32_t>(model->header().begin_token));
  EXPECT_EQ(tokens[1], static_cast<int32_t>(model->header().unknown_token)) << "a word of 5,000 letters";
  EXPECT_EQ(tokens.back(), static_cast<int32_t>(model->header().end_token));
}

TEST(WordPieceTest, NeverGivesMoreThanThereArePositions) {
  const auto model = open_model();
  std::string text;
  for (int i = 0; i < 2'000; ++i) text += "word, ";
  EXPECT_EQ(tokenize(*model, text, 1'000'000).size(), model->header().positions);
}

TEST(BertTextTest, WordsStandApartFromMarksAndIdeographs) {
  std::vector<std::string> words;
  for_each_bert_word("Don't STOP, 北京!", [&](std::string_view word) { words.emplace_back(word); });
  EXPECT_THAT(words, ElementsAre("don", "'", "t", "stop", ",", "北", "京", "!"));
}

TEST(BertTextTest, AccentsGoAndHangulFallsApart) {
  EXPECT_EQ(bert_normalised("Ångström Ёлка"), "angstrom елка");
  EXPECT_EQ(bert_normalised("한"), "\u1112\u1161\u11ab");
}

}  // namespace
}  // namespace knapsack::meaning

#include "text/words/stop_words.h"

#include "support/support.h"
#include "text/words/words.h"

namespace knapsack {
namespace {

TEST(StopWords, AreFunctionWordsOfEnglishAndRussian) {
  for (const char* word :
       {"the", "a", "of", "whether", "yourselves", "и", "который", "чтобы", "её", "ее", "я"}) {
    EXPECT_TRUE(is_stop_word(word)) << word;
  }
}

TEST(StopWords, AreNotWordsOfContent) {
  for (const char* word :
       {"", "budget", "use", "work", "new", "error", "файл", "память", "The", "th", "thee"}) {
    EXPECT_FALSE(is_stop_word(word)) << word;
  }
}

TEST(StopWords, CoverWhatTheTokenizerLeavesOfContractions) {
  for (const std::string& word : words_of("don't isn't we're I'll they've he'd I'm it's")) {
    EXPECT_TRUE(is_stop_word(word)) << word;
  }
}

}  // namespace
}  // namespace knapsack

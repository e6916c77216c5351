#include "text/words/stem.h"

#include <thread>

#include "support/support.h"

namespace knapsack {
namespace {

TEST(Stem, FollowsTheRulesOfTheLanguage) {
  struct Row {
    Stemming stemming;
    const char* word;
    const char* expected;
  };
  const Row rows[] = {
      {Stemming::kNone, "running", "running"},
      {Stemming::kEnglish, "running", "run"},
      {Stemming::kEnglish, "queries", "queri"},
      {Stemming::kEnglish, "generously", "generous"},
      {Stemming::kPorter, "generously", "gener"},
      {Stemming::kPorter, "queries", "queri"},
      {Stemming::kRussian, "книгами", "книг"},
      {Stemming::kRussian, "бегать", "бега"},
      {Stemming::kByScript, "running", "run"},
      {Stemming::kByScript, "книгами", "книг"},
      {Stemming::kByScript, "", ""},
      {Stemming::kByScript, "2023", "2023"},
      {Stemming::kEnglish, "книгами", "книгами"},
      {Stemming::kByScript, "\xD0", "\xD0"},
  };
  for (const Row& row : rows) EXPECT_EQ(stem(row.stemming, row.word), row.expected) << row.word;
}

TEST(Stem, MakesTheFormsOfAWordMeet) {
  EXPECT_EQ(std::string(stem(Stemming::kByScript, "indexing")), stem(Stemming::kByScript, "indexed"));
  EXPECT_EQ(std::string(stem(Stemming::kByScript, "поисковые")), stem(Stemming::kByScript, "поисковый"));
}

TEST(Stem, WorksOnManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  std::array<int, 4> wrong{};
  for (size_t i = 0; i < wrong.size(); ++i) {
    threads.emplace_back([&wrong, i] {
      for (int round = 0; round < 1000; ++round) {
        const bool first = (static_cast<size_t>(round) + i) % 2 == 0;
        if (stem(Stemming::kByScript, first ? "running" : "книгами") != (first ? "run" : "книг")) ++wrong[i];
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_THAT(wrong, ::testing::Each(0));
}

}  // namespace
}  // namespace knapsack

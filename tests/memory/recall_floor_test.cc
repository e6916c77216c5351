// The floor: what shares a word with a prompt and has nothing to do with it is not recalled.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/recall/relevance_floor.h"
#include "memory/support_recall.h"

namespace knapsack::memory {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

RecallOptions with_floor(double least = kDefaultFloor) {
  RecallOptions options;
  options.floor = least;
  return options;
}

// Written down on one day, one after another, as `remember` does it.
std::vector<Memory> of_one_day(const std::vector<std::pair<std::string, std::string>>& texts) {
  std::vector<Memory> memories;
  int minute = 0;
  for (const auto& [id, text] : texts) {
    Memory memory = turn(id, "2026-11-14", minute++, "", text);
    memory.kind = Kind::kNote;
    memories.push_back(memory);
  }
  return memories;
}

std::vector<std::string> shown(const RecallFixture& fixture, const std::string& prompt,
                               double least = kDefaultFloor) {
  return RecallFixture::taken(fixture.recall(prompt, with_floor(least)).memories);
}

const std::vector<std::pair<std::string, std::string>> kDay = {
    {"deploy", "Deploys go out on Tuesdays"},
    {"owner", "Boris owns the billing service"},
    {"logs", "Logs are kept for 14 days"},
    {"search", "The search page answers within 200 ms"},
    {"python", "We use mypy on all Python code"},
    {"nordwind", "Nordwind pays within 45 days"},
    {"contract", "The contract with Nordwind ends in March"}};

TEST(RecallFloor, NeighboursOfTheSameDayAreNotTheAnswer) {
  const RecallFixture fixture(of_one_day(kDay));
  EXPECT_THAT(shown(fixture, "who owns billing?"), ElementsAre("owner"));
  EXPECT_THAT(shown(fixture, "who owns billing?", 0), ElementsAre("owner")) << "nor without a floor";
}

TEST(RecallFloor, APromptThatNothingAnswersRecallsNothing) {
  const RecallFixture fixture(of_one_day(kDay));
  for (const char* prompt :
       {"who owns the mobile app?", "which font does the logo use?", "how are you today?",
        "explain the visitor pattern", "write a haiku about autumn"})
    EXPECT_THAT(shown(fixture, prompt), IsEmpty()) << prompt;
}

TEST(RecallFloor, WhatAnswersEquallyWellIsAllShown) {
  const RecallFixture fixture(of_one_day(kDay));
  EXPECT_THAT(shown(fixture, "what do we know about Nordwind?"),
              UnorderedElementsAre("nordwind", "contract"));
}

TEST(RecallFloor, WhatIsBelowIsInTheAccountWithTheReason) {
  const RecallFixture fixture(of_one_day(kDay));
  const Recalled recalled = fixture.recall("does Boris own the billing service on Tuesdays?", with_floor());
  ASSERT_GT(recalled.memories.size(), 1U);
  EXPECT_EQ(recalled.memories.front().memory->id, "owner");
  EXPECT_THAT(recalled.memories.back().dropped, HasSubstr("% of the prompt"));
}

TEST(RecallFloor, InAConversationTheAnswerMayStandBesideTheWords) {
  const RecallFixture fixture({turn("q", "s", 0, "Anna", "When is the release of the importer?"),
                               turn("a", "s", 1, "Boris", "On Friday, I think."),
                               turn("b", "s", 2, "Anna", "Then let us eat something."),
                               turn("c", "s", 3, "Boris", "Pizza?"), turn("d", "s", 4, "Anna", "Gladly.")});
  EXPECT_THAT(shown(fixture, "when is the importer's release?"), ::testing::Contains("a"));
}

TEST(RecallFloor, RussianPromptsHaveItToo) {
  const RecallFixture fixture(of_one_day({{"bez", "За безопасность отвечает Вера"},
                                          {"sklad", "Склад в Казани закрыт по воскресеньям"},
                                          {"otchet", "Отчёт отправляем пятого числа"}}));
  EXPECT_THAT(shown(fixture, "кто отвечает за безопасность?"), ElementsAre("bez"));
  EXPECT_THAT(shown(fixture, "кто отвечает за маркетинг?"), IsEmpty());
  EXPECT_THAT(shown(fixture, "какая погода в Сочи?"), IsEmpty());
}

TEST(RecallFloor, AStatedLinkComesBeforeWordsInCommonInAStory) {
  std::vector<Memory> memories = {note("crash", "The import crashed on the North manifest")};
  memories[0].links = {{"cause", "causes", 0.9}};
  Memory cause = note("cause", "A driver was replaced overnight");
  cause.created = days_ago(30);
  memories.push_back(cause);
  for (int i = 0; i < 30; ++i) {
    Memory other = note("m" + std::to_string(i), "The import number " + std::to_string(i) + " was quick");
    other.created = days_ago(2 + i);
    memories.push_back(other);
  }
  RecallOptions options = with_floor(0);
  options.mode = RecallMode::kGraph;
  const RecallFixture fixture(memories);
  EXPECT_THAT(
      RecallFixture::taken(fixture.recall("what happened to the import that crashed?", options).memories),
      ::testing::Contains("cause"));
}

}  // namespace
}  // namespace knapsack::memory

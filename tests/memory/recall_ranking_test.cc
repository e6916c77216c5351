// Each step of the ranking, switched on and off: what it is for is what changes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/support_recall.h"

namespace knapsack::memory {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Enough about other things that words of the test are rare.
std::vector<Memory> with_noise(std::vector<Memory> memories) {
  for (int i = 0; i < 40; ++i)
    memories.push_back(
        turn("z" + std::to_string(100 + i), "zz" + std::to_string(i), 0, "Zoe", "nothing of note here"));
  return memories;
}

std::string best(const RecallFixture& fixture, const std::string& question,
                 const RankingOptions& options = {}) {
  const auto ids = fixture.ranked(question, options);
  return ids.empty() ? "" : ids.front();
}

RankingOptions without(bool RankingOptions::*step) {
  RankingOptions options;
  options.*step = false;
  return options;
}

TEST(MemoryRanking, NeighboursOfAWordAreFoundWithoutHoldingIt) {
  const RecallFixture fixture(
      with_noise({turn("a", "s", 0, "Anna", "The release was planned for ages"),
                  turn("b", "s", 1, "Boris", "It goes out on Friday"), turn("c", "s", 2, "Anna", "Fine"),
                  turn("d", "s", 3, "Anna", "Bye")}));
  EXPECT_THAT(fixture.ranked("release"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(fixture.ranked("release", without(&RankingOptions::neighbours)), ElementsAre("a"));
}

TEST(MemoryRanking, AWordDoesNotReachIntoAnotherSession) {
  const RecallFixture fixture(with_noise({turn("a", "s1", 0, "Anna", "The release was planned"),
                                          turn("b", "s2", 1, "Boris", "It goes out on Friday")}));
  EXPECT_THAT(fixture.ranked("release"), ElementsAre("a"));
}

TEST(MemoryRanking, AQuestionHandsItsWordsToTheAnswer) {
  const RecallFixture fixture(with_noise({turn("a", "s", 0, "Anna", "Is the release ready now?"),
                                          turn("b", "s", 1, "Boris", "Yes it goes out on Friday")}));
  EXPECT_EQ(best(fixture, "release"), "b");
  EXPECT_EQ(best(fixture, "release", without(&RankingOptions::hand_on)), "a");
}

TEST(MemoryRanking, AQuestionCountsLessThanAStatement) {
  const RecallFixture fixture(with_noise({turn("a", "s1", 0, "Anna", "the release is ready when?"),
                                          turn("b", "s2", 0, "Anna", "the release is ready then!")}));
  EXPECT_EQ(best(fixture, "release ready"), "b");
  EXPECT_EQ(best(fixture, "release ready", without(&RankingOptions::question_penalty)), "a");
}

TEST(MemoryRanking, TheNamedPersonsOwnWordsComeFirst) {
  const RecallFixture fixture(with_noise({turn("a", "s1", 0, "Boris", "I like hiking in the hills"),
                                          turn("b", "s2", 0, "Anna", "I like hiking in the hills")}));
  EXPECT_EQ(best(fixture, "what does Anna say about hiking"), "b");
  EXPECT_EQ(best(fixture, "what does Anna say about hiking", without(&RankingOptions::speaker)), "a");
}

TEST(MemoryRanking, WhenPrefersMemoriesThatNameATime) {
  const RecallFixture fixture(with_noise({turn("a", "s1", 0, "Anna", "I went hiking uphill"),
                                          turn("b", "s2", 0, "Anna", "I went hiking yesterday")}));
  EXPECT_EQ(best(fixture, "When was the hiking"), "b");
  EXPECT_EQ(best(fixture, "When was the hiking", without(&RankingOptions::time_words)), "a");
}

TEST(MemoryRanking, ANamedDatePrefersMemoriesOfThatDay) {
  Memory early = turn("a", "s1", 0, "Anna", "we talked about hiking");
  Memory late = turn("b", "s2", 0, "Anna", "we talked about hiking");
  late.created = *make_timestamp(2026, 3, 5, 10, 0, 0);
  const RecallFixture fixture(with_noise({early, late}));
  EXPECT_EQ(best(fixture, "hiking on 5 March 2026"), "b");
  EXPECT_EQ(best(fixture, "hiking on 5 March 2026", without(&RankingOptions::dates)), "a");
}

TEST(MemoryRanking, IrregularFormsMeet) {
  const RecallFixture fixture(with_noise({turn("a", "s1", 0, "Anna", "I taught pottery")}));
  EXPECT_THAT(fixture.ranked("teach"), ElementsAre("a"));
  EXPECT_NE(best(fixture, "teach", without(&RankingOptions::irregular_forms)), "a");
}

TEST(MemoryRanking, WordsThatTheBestShareAreSearchedForAsWell) {
  const RecallFixture fixture(with_noise({turn("a", "s1", 0, "Anna", "sailing with the trimaran"),
                                          turn("b", "s2", 0, "Anna", "sailing my trimaran"),
                                          turn("c", "s3", 0, "Anna", "repaired a trimaran")}));
  EXPECT_THAT(fixture.ranked("sailing"), ::testing::Contains("c"));
  EXPECT_THAT(fixture.ranked("sailing", without(&RankingOptions::feedback)),
              ::testing::Not(::testing::Contains("c")));
}

TEST(MemoryRanking, NeighboursOfWhatWasTakenComeLater) {
  // Beside each other "a" and "b" score a little more than "c" does alone.
  const RecallFixture fixture(
      with_noise({turn("a", "s1", 0, "Anna", "sailing gear"), turn("b", "s1", 1, "Anna", "sailing boots"),
                  turn("c", "s2", 0, "Anna", "sailing was nice")}));
  const auto spread = fixture.ranked("sailing");
  const auto close = fixture.ranked("sailing", without(&RankingOptions::spread));
  EXPECT_THAT(std::vector<std::string>(spread.begin(), spread.begin() + 3), ElementsAre("a", "c", "b"));
  EXPECT_THAT(std::vector<std::string>(close.begin(), close.begin() + 3), ElementsAre("a", "b", "c"));
}

TEST(MemoryRanking, WithoutAMatchTheNewestOfTheNamedPersonStandIn) {
  Memory old = turn("a", "s1", 0, "Anna", "first"), young = turn("b", "s2", 5, "Anna", "second");
  const RecallFixture fixture({old, young, turn("c", "s3", 9, "Boris", "third")});
  EXPECT_THAT(fixture.ranked("does Anna know quantum chromodynamics"), ElementsAre("b", "a"));
}

TEST(MemoryRanking, WithoutAMatchWhatIsNearestStandsInAndTheNamedPersonCounts) {
  const RecallFixture fixture({turn("a", "s1", 0, "Anna", "first"), turn("b", "s2", 5, "Anna", "second"),
                               turn("c", "s3", 9, "Boris", "third")});
  std::vector<const Memory*> all;
  for (const Memory& memory : fixture.memories()) all.push_back(&memory);
  auto ranking = MemoryRanking::open(fixture.index(), all);
  ASSERT_OK(ranking);
  Similarities similarities;
  for (const Memory& memory : fixture.memories())
    similarities[&memory] = memory.id == "c" ? 0.80 : memory.id == "a" ? 0.795 : 0.70;
  const auto ids = [&](const std::string& question) {
    std::vector<std::string> found;
    const auto order = ranking->rank(question, similarities);
    EXPECT_OK(order);
    EXPECT_FALSE(order->matched);
    for (const RankedMemory& each : order->ranked) {
      EXPECT_EQ(each.score, 0) << "nothing speaks for it";
      found.push_back(ranking->memories()[each.position]->id);
    }
    return found;
  };
  EXPECT_THAT(ids("does anybody know quantum chromodynamics"), ElementsAre("c", "a"))
      << "b is below the mean";
  EXPECT_THAT(ids("does Anna know quantum chromodynamics"), ElementsAre("a", "c"));
}

TEST(MemoryRanking, OnlyTheMemoriesThatAreGivenExist) {
  const RecallFixture fixture(
      with_noise({turn("a", "s", 0, "Anna", "the secret release"), turn("b", "s", 1, "Boris", "on Friday")}));
  std::vector<const Memory*> visible;
  for (const Memory& memory : fixture.memories()) {
    if (memory.id != "a") visible.push_back(&memory);
  }
  auto ranking = MemoryRanking::open(fixture.index(), visible);
  ASSERT_OK(ranking);
  const auto order = ranking->rank("secret release");
  ASSERT_OK(order);
  EXPECT_FALSE(order->matched) << "a hidden neighbour gave itself away";
}

TEST(MemoryRanking, OfNoMemoriesIsEmpty) {
  EXPECT_THAT(RecallFixture({}).ranked("anything"), IsEmpty());
}

TEST(MemoryRanking, TagsAndTheEntityAreSearchedToo) {
  Memory tagged = note("a", "uses port 5432"), about = note("b", "likes tea");
  tagged.tags = {"postgres"};
  about.entity = "person-anna";
  const RecallFixture fixture(with_noise({tagged, about}));
  EXPECT_THAT(fixture.ranked("postgres"), ElementsAre("a"));
  EXPECT_THAT(fixture.ranked("anna"), ElementsAre("b"));
}

}  // namespace
}  // namespace knapsack::memory

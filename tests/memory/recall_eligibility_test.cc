#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/support_recall.h"
#include "memory/tree/eligibility.h"

namespace knapsack::memory {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> allowed(const std::vector<Memory>& memories,
                                 EligibilityRules rules = {{""}, test_now(), false}) {
  const Eligibility eligibility(memories, std::move(rules));
  std::vector<std::string> ids;
  for (const Memory& memory : memories) {
    if (eligibility.allows(memory)) ids.push_back(memory.id);
  }
  return ids;
}

TEST(Eligibility, OnlyActiveMemoriesOfReadableNamespaces) {
  std::vector<Memory> memories;
  for (const Status status :
       {Status::kActive, Status::kSuperseded, Status::kArchived, Status::kForgotten, Status::kQuarantined}) {
    memories.push_back(note("m" + std::to_string(memories.size()), "x"));
    memories.back().status = status;
  }
  memories.push_back(note("elsewhere", "x"));
  memories.back().name_space = "work";
  EXPECT_THAT(allowed(memories), ElementsAre("m0"));
  EXPECT_THAT(allowed(memories, {{"work"}, test_now(), false}), ElementsAre("elsewhere"));
  EXPECT_THAT(allowed(memories, {{}, test_now(), false}), IsEmpty());
}

TEST(Eligibility, ExpiryAndValidityAreLookedAtTheTimeAskedFor) {
  std::vector<Memory> memories = {note("expired", "x"), note("expires", "x"), note("future", "x"),
                                  note("past", "x"), note("now", "x")};
  memories[0].expires = test_now();
  memories[1].expires = Timestamp{test_now().micros + 1};
  memories[2].valid_from = Timestamp{test_now().micros + 1};
  memories[3].valid_until = test_now();
  memories[4].valid_from = test_now();
  memories[4].valid_until = Timestamp{test_now().micros + 1};
  EXPECT_THAT(allowed(memories), ElementsAre("expires", "now"));
  EXPECT_THAT(allowed(memories, {{""}, days_ago(0.5), false}), ElementsAre("expired", "expires", "past"));
}

TEST(Eligibility, AskedAboutThePastLeavesOutWhatWasWrittenLater) {
  std::vector<Memory> memories = {note("old", "x"), note("new", "x"), note("told-later", "x")};
  memories[0].created = days_ago(20);
  memories[1].created = days_ago(5);
  memories[2].created = days_ago(5);
  memories[2].valid_from = days_ago(30);
  EXPECT_THAT(allowed(memories, {{""}, days_ago(10), true}), ElementsAre("old", "told-later"));
}

TEST(Eligibility, ASupersededMemoryIsOutWhicheverOfTheTwoSaysSo) {
  std::vector<Memory> memories = {note("a", "x"), note("b", "x"), note("c", "x")};
  memories[0].superseded_by = "c";
  memories[2].supersedes = {"b"};
  EXPECT_THAT(allowed(memories), ElementsAre("c"));
}

TEST(Eligibility, ASuccessorThatExpiredStillSupersedesAndOneThatWasTakenBackDoesNot) {
  std::vector<Memory> memories = {note("a", "x"), note("b", "x")};
  memories[1].supersedes = {"a"};
  memories[1].expires = days_ago(0.5);
  EXPECT_THAT(allowed(memories), IsEmpty());
  memories[1].expires.reset();
  for (const Status status : {Status::kForgotten, Status::kQuarantined}) {
    memories[1].status = status;
    EXPECT_THAT(allowed(memories), ElementsAre("a"));
  }
}

TEST(Eligibility, ASuccessorInANamespaceThatIsNotReadSupersedesNothing) {
  std::vector<Memory> memories = {note("a", "x"), note("b", "x")};
  memories[1].supersedes = {"a"};
  memories[1].name_space = "work";
  EXPECT_THAT(allowed(memories), ElementsAre("a"));
}

TEST(Eligibility, AMemoryThatSupersedesItselfStays) {
  std::vector<Memory> memories = {note("a", "x")};
  memories[0].supersedes = {"a"};
  EXPECT_THAT(allowed(memories), ElementsAre("a"));
}

TEST(Eligibility, AnArtifactGoesWithItsSource) {
  std::vector<Memory> memories = {note("source", "x"), note("art", "x"), note("orphan", "x")};
  memories[1].kind = memories[2].kind = Kind::kArtifact;
  memories[1].source_memory = "source";
  memories[2].source_memory = "gone";
  EXPECT_THAT(allowed(memories), ElementsAre("source", "art"));
  memories[0].status = Status::kForgotten;
  EXPECT_THAT(allowed(memories), IsEmpty());
}

TEST(Eligibility, FindsByIdInTheOwnNamespaceThenTheSharedOneAndOnlyWhatIsEligible) {
  std::vector<Memory> memories = {note("a", "own"), note("a", "shared"), note("b", "shared"), note("c", "x")};
  memories[1].name_space = memories[2].name_space = "shared";
  memories[3].status = Status::kArchived;
  const Eligibility eligibility(memories, {{"", "shared"}, test_now(), false});
  EXPECT_EQ(eligibility.find("", "a"), &memories[0]);
  EXPECT_EQ(eligibility.find("", "b"), &memories[2]);
  EXPECT_EQ(eligibility.find("", "c"), nullptr);
  const Eligibility own_only(memories, {{""}, test_now(), false});
  EXPECT_EQ(own_only.find("", "b"), nullptr);
}

}  // namespace
}  // namespace knapsack::memory

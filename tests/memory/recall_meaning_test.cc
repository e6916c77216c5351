// Words and meaning in one order: the arithmetic, and who may not come back through a vector.
#include "memory/support_recall.h"

namespace knapsack::memory {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

class RecallMeaning : public ::testing::Test {
 protected:
  // In the order given, with these cosines.
  Recalled recall(const RecallFixture& fixture, const std::string& prompt,
                  const std::vector<std::pair<std::string, double>>& near,
                  const std::vector<std::string>& namespaces = {"", "shared"}) {
    const Eligibility eligibility(fixture.memories(), {namespaces, test_now(), false});
    RecallSource source{fixture.memories(), fixture.index(), eligibility, namespaces};
    for (const auto& [id, cosine] : near) source.near.push_back({&fixture[id], cosine});
    options_.scoring.recency_weight = 0;
    auto recalled = find_memories(source, prompt, test_now(), options_);
    EXPECT_OK(recalled);
    choose_memories(*recalled, source, options_);
    return *std::move(recalled);
  }
  static std::vector<double> parts(const Recalled& recalled, const std::string& id) {
    for (const RecalledMemory& each : recalled.memories) {
      if (each.memory->id != id) continue;
      std::vector<double> values;
      for (const ScoreComponent& component : each.score.components) values.push_back(component.value);
      return values;
    }
    return {};
  }

  RecallOptions options_;
};

TEST_F(RecallMeaning, ASumIsTheShareOfWordsAndTheCosineByWeight) {
  const RecallFixture fixture({note("a", "deploy"), note("b", "release")});
  options_.hybrid.vector_weight = 0.25;
  const auto recalled = recall(fixture, "deploy", {{"b", 0.8}, {"a", 0.4}});
  EXPECT_THAT(RecallFixture::taken(recalled.memories), ElementsAre("a", "b"));
  EXPECT_THAT(parts(recalled, "a"), ElementsAre(::testing::DoubleEq(0.75), ::testing::DoubleEq(0.25 * 0.4)));
  EXPECT_THAT(parts(recalled, "b"), ElementsAre(0, ::testing::DoubleEq(0.25 * 0.8)));
}

TEST_F(RecallMeaning, WhereNoWordMatchesTheCosineAloneCounts) {
  const RecallFixture fixture({note("a", "deploy"), note("b", "release")});
  const auto recalled = recall(fixture, "zeppelin", {{"b", 0.8}});
  EXPECT_THAT(RecallFixture::taken(recalled.memories), ElementsAre("b"));
  EXPECT_THAT(parts(recalled, "b"), ElementsAre(0, ::testing::DoubleEq(0.8)));
}

TEST_F(RecallMeaning, RanksAloneCountWithReciprocalRanks) {
  const RecallFixture fixture({note("a", "deploy"), note("b", "release")});
  options_.hybrid.fusion = search::Fusion::kReciprocalRank;
  const auto recalled = recall(fixture, "deploy", {{"b", 0.8}, {"a", 0.4}});
  EXPECT_THAT(parts(recalled, "a"), ElementsAre(0.5, ::testing::DoubleEq(0.5 * 61.0 / 62)));
  EXPECT_THAT(parts(recalled, "b"), ElementsAre(0, 0.5));
}

TEST_F(RecallMeaning, WithoutNeighboursTheFusionSettingsChangeNothing) {
  const RecallFixture fixture(
      {note("a", "deploy rules"), note("b", "deploy"), note("c", "rules of the house")});
  const auto plain = recall(fixture, "deploy rules", {});
  options_.hybrid = {search::Fusion::kReciprocalRank, 0.9, 1};
  const auto other = recall(fixture, "deploy rules", {});
  ASSERT_EQ(plain.memories.size(), other.memories.size());
  for (size_t i = 0; i < plain.memories.size(); ++i) {
    EXPECT_EQ(plain.memories[i].memory, other.memories[i].memory);
    EXPECT_EQ(plain.memories[i].score.total, other.memories[i].score.total);
    EXPECT_EQ(plain.memories[i].score.components.front().name, "search");
  }
}

TEST_F(RecallMeaning, ANeighbourThatMayNotBeRecalledIsNot) {
  Memory superseded = note("old", "deploy on Monday");
  superseded.status = memory::Status::kSuperseded;
  Memory copy = note("copy", "deploy on Monday");
  copy.kind = Kind::kArtifact;
  Memory elsewhere = note("theirs", "deploy there");
  elsewhere.name_space = "other";
  elsewhere.path = "namespaces/other/" + elsewhere.path;
  Memory later = note("later", "deploy then");
  later.valid_from = days_ago(-30);
  const RecallFixture fixture({superseded, copy, elsewhere, later});
  const auto recalled =
      recall(fixture, "release", {{"old", 0.9}, {"copy", 0.9}, {"theirs", 0.9}, {"later", 0.9}});
  EXPECT_THAT(recalled.memories, IsEmpty());
  EXPECT_THAT(recall(fixture, "release", {{"theirs", 0.9}}, {"", "other"}).memories, Not(IsEmpty()));
}

}  // namespace
}  // namespace knapsack::memory

// What is found, in which order it is dealt out, and what the walk of graph_mode adds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "memory/recall/recall_walk.h"
#include "memory/support_recall.h"
#include "memory/tree/infer.h"

namespace knapsack::memory {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

Memory in_space(Memory memory, const std::string& name_space) {
  memory.name_space = name_space;
  memory.path = "namespaces/" + name_space + "/" + memory.path;
  return memory;
}

Memory artifact(const std::string& id, const std::string& source, const std::string& text) {
  Memory memory = note(id, text);
  memory.kind = Kind::kArtifact;
  memory.source_memory = source;
  return memory;
}

std::vector<std::string> taken(const Recalled& recalled) {
  return RecallFixture::taken(recalled.memories);
}

TEST(FindMemories, DealsNamespacesOutInTurn) {
  std::vector<Memory> memories;
  for (int i = 0; i < 6; ++i)
    memories.push_back(note("own" + std::to_string(i), "deploy deploy rules " + std::to_string(i)));
  memories.push_back(
      in_space(note("theirs", "a long text where deploy is named only once among much else"), "shared"));
  const RecallFixture fixture(memories);
  RecallOptions options;
  options.max_results = 3;
  const auto both = taken(fixture.recall("deploy", options));
  ASSERT_EQ(both.size(), 3U);
  EXPECT_EQ(both[1], "theirs");
  EXPECT_THAT(taken(fixture.recall("deploy", options, {""})), Not(Contains("theirs")));
}

TEST(FindMemories, ShowsOnceWhatTwoNamespacesSay) {
  const RecallFixture fixture(
      {note("own", "deploy on Tuesday"), in_space(note("copy", "deploy on Tuesday"), "shared")});
  EXPECT_THAT(taken(fixture.recall("deploy")), ElementsAre("own"));
}

TEST(FindMemories, TakesFewerForAShortCommand) {
  std::vector<Memory> memories;
  for (int i = 0; i < 12; ++i)
    memories.push_back(note("m" + std::to_string(10 + i), "deploy step " + std::to_string(i)));
  const RecallFixture fixture(memories);
  RecallOptions options;
  EXPECT_EQ(taken(fixture.recall("deploy", options)).size(), 8U);
  options.mode = RecallMode::kMinimal;
  const Recalled minimal = fixture.recall("deploy", options);
  EXPECT_EQ(taken(minimal).size(), 4U);
  EXPECT_EQ(minimal.memories.size(), 12U) << "what was found stays in the account";
  EXPECT_THAT(minimal.memories.back().dropped, HasSubstr("only the best 4"));
  options.minimal_results = 100;  // never more than a full recall
  EXPECT_EQ(taken(fixture.recall("deploy", options)).size(), 8U);
  options.mode = RecallMode::kNone;
  EXPECT_THAT(fixture.recall("deploy", options).memories, IsEmpty());
}

TEST(FindMemories, FindsNothingWhereNothingMatchesAndNobodyIsNamed) {
  Memory said = note("a", "likes tea");
  said.speaker = "Anna";
  const RecallFixture fixture({said});
  EXPECT_THAT(taken(fixture.recall("quantum chromodynamics")), IsEmpty());
  EXPECT_THAT(taken(fixture.recall("does Anna know quantum chromodynamics")), ElementsAre("a"));
}

TEST(FindMemories, RecencyWeightDecidesBetweenEqualMatches) {
  Memory old = note("a", "deploy on Tuesday morning"), young = note("b", "deploy on Tuesday evening");
  old.created = days_ago(100);
  young.created = days_ago(1);
  old.importance = 0.6;
  const RecallFixture fixture({old, young});
  RecallOptions options;
  EXPECT_THAT(taken(fixture.recall("deploy", options)), ElementsAre("b", "a"));
  options.scoring.recency_weight = 0;
  EXPECT_THAT(taken(fixture.recall("deploy", options)), ElementsAre("a", "b"));
}

TEST(FindMemories, ExpandsAPromptToItsLeadingWords) {
  EXPECT_THAT(expand_query("please deploy the billing service to staging"),
              ElementsAre("please deploy the billing service to staging", "please deploy billing",
                          "please deploy", "deploy billing"));
  EXPECT_THAT(expand_query("deploy it"), ElementsAre("deploy it"));
  const RecallFixture fixture({note("a", "deploy billing by hand")});
  RecallOptions options;
  options.query_expansion = true;
  EXPECT_THAT(taken(fixture.recall("deploy the billing service to staging today", options)),
              ElementsAre("a"));
}

TEST(FindMemories, AnchorsComeWordForWordInPlaceOfTheirSource) {
  std::vector<Memory> memories = {note("d1", "We decided on PostgreSQL"),
                                  artifact("art1", "d1", "We decided on PostgreSQL"),
                                  note("n", "PostgreSQL port is 5432")};
  const RecallFixture fixture(memories);
  RecallOptions options;
  EXPECT_THAT(fixture.recall("PostgreSQL", options).anchors, IsEmpty());
  EXPECT_THAT(taken(fixture.recall("PostgreSQL", options)), UnorderedElementsAre("d1", "n"));
  options.verbatim_artifacts = true;
  const Recalled recalled = fixture.recall("PostgreSQL", options);
  EXPECT_THAT(RecallFixture::taken(recalled.anchors), ElementsAre("art1"));
  EXPECT_THAT(taken(recalled), ElementsAre("n"));
  EXPECT_THAT(RecallFixture::taken(fixture.recall("kittens", options).anchors), IsEmpty());
}

TEST(FindMemories, ShowsAtMostFiveAnchors) {
  std::vector<Memory> memories;
  for (int i = 0; i < 7; ++i) {
    const std::string n = std::to_string(i);
    memories.push_back(note("d" + n, "rule " + n));
    memories.push_back(artifact("art" + n, "d" + n, "rule " + n));
  }
  RecallOptions options;
  options.verbatim_artifacts = true;
  const RecallFixture fixture(memories);
  const Recalled recalled = fixture.recall("rule", options);
  EXPECT_EQ(RecallFixture::taken(recalled.anchors).size(), 5U);
  EXPECT_EQ(recalled.anchors.size(), 7U);
}

TEST(FindMemories, SwitchedOffSearchesNothing) {
  RecallOptions options;
  options.search = false;
  EXPECT_THAT(RecallFixture({note("a", "deploy")}).recall("deploy", options).memories, IsEmpty());
}

TEST(FindMemories, IntentRoutingLiftsWhatIsGoodForTheRequest) {
  const std::string prompt = "fix the login error";
  Memory plain = note("a", "login error in billing"), fitting = note("b", "login error in payment");
  fitting.intent = infer_intent(prompt);
  ASSERT_FALSE(fitting.intent.goal.empty());
  const RecallFixture fixture({plain, fitting});
  RecallOptions options;
  EXPECT_THAT(taken(fixture.recall(prompt, options)), ElementsAre("a", "b"));
  options.scoring.intent_routing = true;
  EXPECT_THAT(taken(fixture.recall(prompt, options)), ElementsAre("b", "a"));
}

TEST(GraphMode, WalksLinksBothWaysEntitiesBoxesAndTime) {
  Memory start = note("start", "the rollback happened"), cause = note("cause", "disk was full"),
         effect = note("effect", "team added alerts"), about = note("about", "billing runs nightly"),
         other = note("other", "unrelated lunch");
  start.links = {{"cause", "caused-by", 1}};
  effect.links = {{"start", "follows", 0.8}};
  start.entity = about.entity = "project-billing";
  const auto at = [](Memory& memory, double days) { memory.created = days_ago(days); };
  at(cause, 30), at(about, 25), at(start, 20), at(effect, 10), at(other, 400);
  const RecallFixture fixture({start, cause, effect, about, other});
  RecallOptions options;
  options.mode = RecallMode::kGraph;
  options.max_results = 2;
  const Recalled recalled = fixture.recall("rollback", options);
  EXPECT_TRUE(recalled.by_time);
  EXPECT_THAT(taken(recalled), ElementsAre("start", "cause", "effect", "about"));
  EXPECT_THAT(recalled.memories[1].provenance,
              Contains(HasSubstr("1 hop away, decay 0.5: linked (caused-by) from start")));
  EXPECT_THAT(recalled.memories[2].provenance,
              Contains(HasSubstr("decay 0.4: links here (follows) from start")));
  EXPECT_THAT(recalled.memories[3].provenance,
              Contains(HasSubstr("decay 0.3: about project-billing from start")));
  options.mode = RecallMode::kFull;
  EXPECT_THAT(taken(fixture.recall("rollback", options)), ElementsAre("start"));
}

TEST(GraphMode, NeverGoesThroughAMemoryThatIsOut) {
  Memory start = note("start", "rollback"), hidden = note("hidden", "x"), behind = note("behind", "y");
  start.links = {{"hidden", "causes", 1}};
  hidden.links = {{"behind", "causes", 1}};
  hidden.status = Status::kForgotten;
  start.created.reset(), hidden.created.reset(), behind.created.reset();
  const RecallFixture fixture({start, hidden, behind});
  RecallOptions options;
  options.mode = RecallMode::kGraph;
  EXPECT_THAT(taken(fixture.recall("rollback", options)), ElementsAre("start"));
}

TEST(GraphMode, StopsAfterThreeHopsAndLosesHalfAtEach) {
  std::vector<Memory> memories;
  for (int i = 0; i < 6; ++i) {
    memories.push_back(note("m" + std::to_string(i), "x"));
    memories.back().created.reset();
    memories.back().links = {{"m" + std::to_string(i + 1), "next", 1}};
  }
  const Eligibility eligibility(memories, {{""}, test_now(), false});
  const auto steps = walk_memories(memories, eligibility, {{&memories[0], 1}});
  ASSERT_EQ(steps.size(), 4U);
  for (int i = 0; i < 4; ++i) {
    const WalkStep& step = steps[static_cast<size_t>(i)];
    EXPECT_EQ(step.memory->id, "m" + std::to_string(i));
    EXPECT_EQ(step.hops, i);
    EXPECT_DOUBLE_EQ(step.score, std::pow(0.5, i));
    EXPECT_DOUBLE_EQ(step.decay, std::pow(0.5, i));
  }
}

TEST(GraphMode, ACycleEndsAndTheBestWayCounts) {
  std::vector<Memory> memories = {note("a", "x"), note("b", "x"), note("c", "x")};
  for (Memory& memory : memories) memory.created.reset();
  memories[0].links = {{"b", "weak", 0.1}, {"c", "strong", 1}};
  memories[2].links = {{"b", "strong", 1}};
  memories[1].links = {{"a", "back", 1}, {"b", "self", 1}};
  const Eligibility eligibility(memories, {{""}, test_now(), false});
  const auto steps = walk_memories(memories, eligibility, {{&memories[0], 1}});
  ASSERT_EQ(steps.size(), 3U);
  // "b" links to "a", which is an edge from "a" as well: half at one hop, not a twentieth.
  EXPECT_EQ(steps[1].memory->id, "b");
  EXPECT_DOUBLE_EQ(steps[1].score, 0.5);
  EXPECT_EQ(steps[2].memory->id, "c");
}

}  // namespace
}  // namespace knapsack::memory

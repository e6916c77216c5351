// Each setting of recall changes what is recalled, and every setting that people know from elsewhere is here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/support_workspace.h"
#include "memory/tree/infer.h"
#include "support/real_ledger.h"

namespace knapsack {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using Ids = std::vector<std::string>;

class RecallSettingsTest : public ::testing::Test {
 protected:
  Ids ids(const std::string& prompt, const std::string& key, const std::string& value,
          const std::string& mode = "auto") {
    return MemoryWorkspace::shown(
        workspace_.recall(prompt, {{"recall.recency_weight", "0"}, {key, value}}, "md", mode));
  }

  MemoryWorkspace workspace_;
};

TEST_F(RecallSettingsTest, ThePlannerDecidesOnlyWhereItIsOn) {
  workspace_.remember("a", "thanks to Anna");
  EXPECT_THAT(ids("thanks", "recall.planner_enabled", "true"), IsEmpty());
  EXPECT_THAT(ids("thanks", "recall.planner_enabled", "false"), ElementsAre("a"));
}

TEST_F(RecallSettingsTest, TheSearchFindsOnlyWhereItIsOn) {
  workspace_.remember("a", "deploy on Tuesday");
  EXPECT_THAT(ids("deploy?", "recall.search_enabled", "true"), ElementsAre("a"));
  EXPECT_THAT(ids("deploy?", "recall.search_enabled", "false"), IsEmpty());
}

TEST_F(RecallSettingsTest, NumbersOfResultsAreKept) {
  for (int i = 0; i < 9; ++i) workspace_.remember(fmt::format("m{}", i), fmt::format("deploy rule {}", i));
  EXPECT_EQ(ids("which deploy rule?", "recall.max_results", "8").size(), 8U);
  EXPECT_EQ(ids("which deploy rule?", "recall.max_results", "3").size(), 3U);
  EXPECT_EQ(ids("run deploy rule", "recall.minimal_results", "4").size(), 4U);
  EXPECT_EQ(ids("run deploy rule", "recall.minimal_results", "2").size(), 2U);
  EXPECT_EQ(ids("which deploy rule?", "recall.max_tokens", "0").size(), 0U);
}

TEST_F(RecallSettingsTest, AgeCountsByItsWeight) {
  workspace_.remember("old", "deploy deploy deploy", "updated: 2025-01-01\n");
  workspace_.put(
      "facts/2026-11-15/new.md",
      "---\nid: new\ncreated: 2026-11-15T10:00:00Z\n---\nA deploy among many other words of the day.\n");
  const auto by_weight = [&](const char* weight) {
    return MemoryWorkspace::shown(workspace_.recall("deploy", {{"recall.recency_weight", weight}}));
  };
  EXPECT_THAT(by_weight("0"), ElementsAre("old", "new"));
  EXPECT_THAT(by_weight("0.9"), ElementsAre("new", "old"));
}

TEST_F(RecallSettingsTest, IntentCountsWhereItIsRoutedByAsMuchAsItsBoost) {
  const std::string prompt = "fix the login error";
  const memory::Intent intent = memory::infer_intent(prompt);
  ASSERT_FALSE(intent.goal.empty());
  workspace_.remember("a", "login error in billing", "session: one\n");
  workspace_.remember("b", "login error in payment",
                      fmt::format("session: two\nintentGoal: {}\n", intent.goal));
  const Ids off = ids(prompt, "recall.intent_routing", "false", "full");
  EXPECT_THAT(off, ElementsAre("a", "b"));
  EXPECT_THAT(ids(prompt, "recall.intent_routing", "true", "full"), ElementsAre("b", "a"));
  const auto boosted = workspace_.recall(
      prompt,
      {{"recall.intent_routing", "true"}, {"recall.intent_boost", "0"}, {"recall.recency_weight", "0"}});
  EXPECT_EQ(MemoryWorkspace::shown(boosted), off);
}

TEST_F(RecallSettingsTest, ArtifactsComeFirstWhereTheyAreOn) {
  workspace_.remember("note", "deploy deploy notes");
  workspace_.remember("d", "We decided to deploy on Tuesday.");
  workspace_.put("artifacts/2026-11-14/copy.md",
                 "---\nid: copy\nsourceMemoryId: d\n---\nWe decided to deploy on Tuesday.\n");
  EXPECT_THAT(ids("deploy?", "recall.verbatim_artifacts", "false"), Not(Contains("copy")));
  EXPECT_EQ(ids("deploy?", "recall.verbatim_artifacts", "true").front(), "copy");
}

TEST_F(RecallSettingsTest, LeadingWordsAreSearchedOnTheirOwnWhereThatIsOn) {
  // Many hold one of the first two words and all of the rest; for the whole prompt they stand before the one
  // that holds the first two, further down than is looked.
  const auto put = [&](const std::string& id, const std::string& text) {
    workspace_.remember(id, text, fmt::format("session: of-{}\n", id));
  };
  for (int i = 0; i < 60; ++i) {
    put(fmt::format("first{}", i), fmt::format("deploy service staging today number{}", i));
    put(fmt::format("second{}", i), fmt::format("billing service staging today number{}", i));
  }
  for (int i = 0; i < 400; ++i) put(fmt::format("other{}", i), fmt::format("lunch and weather {}", i));
  put("both", "deploy billing by hand as ever before");
  const std::string prompt = "deploy the billing service to staging today";
  const auto found = [&](const char* on) {
    return MemoryWorkspace::shown(workspace_.recall(prompt, {{"recall.query_expansion", on},
                                                             {"recall.max_results", "1000"},
                                                             {"recall.max_tokens", "100000"},
                                                             {"recall.recency_weight", "0"},
                                                             {"recall.floor", "0"}}));
  };
  EXPECT_THAT(found("false"), Not(Contains("both")));
  EXPECT_THAT(found("true"), Contains("both"));
}

TEST_F(RecallSettingsTest, MemoriesNearAllWordsComeFirstWhereSearchReranks) {
  // The longer the text that holds both words, the lower it stands; somewhere the preference decides.
  const auto first = [](int padding, const char* on) {
    MemoryWorkspace workspace;
    const auto put = [&](const std::string& id, const std::string& text) {
      workspace.remember(id, text, fmt::format("session: of-{}\n", id));
    };
    put("one", "alpha alpha alpha");
    std::string text = "alpha beta";
    for (int i = 0; i < padding; ++i) text += fmt::format(" filler{}", i);
    put("both", text);
    for (int i = 0; i < 8; ++i) put(fmt::format("other{}", i), "gamma and others");
    return MemoryWorkspace::shown(workspace.recall("alpha beta", {{"recall.search_rerank", on},
                                                                  {"recall.recency_weight", "0"},
                                                                  {"recall.floor", "0"}}))
        .front();
  };
  int decided = 0;
  for (int padding = 0; padding < 40; ++padding) {
    const std::string off = first(padding, "false"), on = first(padding, "true");
    if (off == "both") {
      EXPECT_EQ(on, "both") << padding;
    } else {
      decided += on == "both" ? 1 : 0;
    }
  }
  EXPECT_GT(decided, 0);
}

TEST_F(RecallSettingsTest, TwoRerankersAreRefused) {
  workspace_.remember("a", "deploy");
  const auto refused =
      workspace_.try_recall("deploy", {{"recall.rerank", "true"}, {"recall.search_rerank", "true"}});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kConfig);
}

TEST_F(RecallSettingsTest, NamespacesAreThoseThatAreNamed) {
  workspace_.remember("own", "deploy here");
  workspace_.put("namespaces/shared/facts/theirs.md", "---\nid: theirs\n---\ndeploy together\n");
  workspace_.put("namespaces/work/facts/work.md", "---\nid: work\n---\ndeploy at work\n");
  EXPECT_THAT(ids("deploy?", "memory.shared", "true"), ElementsAre("own", "shared/theirs"));
  EXPECT_THAT(ids("deploy?", "memory.shared", "false"), ElementsAre("own"));
  EXPECT_THAT(ids("deploy?", "memory.namespace", "work"), Contains("work/work"));
  EXPECT_THAT(ids("deploy?", "memory.namespace", "work"), Not(Contains("own")));
}

TEST_F(RecallSettingsTest, ImportanceAccessesAndFeedbackChangeTheOrder) {
  const auto first = [](const std::string& keys) {
    MemoryWorkspace workspace;
    workspace.remember("a", "deploy on the first day");
    workspace.remember("b", "deploy on the second day", keys);
    return MemoryWorkspace::shown(workspace.recall("deploy")).front();
  };
  EXPECT_EQ(first(""), "a");
  EXPECT_EQ(first("importanceScore: 0.9\n"), "b");
  EXPECT_EQ(first("accessCount: 99\n"), "b");
  MemoryWorkspace workspace;
  workspace.remember("a", "deploy on the first day", "notUsefulCount: 3\n");
  workspace.remember("b", "deploy on the second day");
  EXPECT_EQ(MemoryWorkspace::shown(workspace.recall("deploy")).front(), "b");
}

// The settings of the design that the memory tree comes from, with their defaults; where they are called
// otherwise here, docs/memory.md says how.
TEST_F(RecallSettingsTest, EverySettingOfTheTreesDesignIsHereWithItsDefault) {
  struct Row {
    const char *there, *here, *value;
  };
  constexpr Row kRows[] = {{"recallPlannerEnabled", "recall.planner_enabled", "true"},
                           {"recallPlannerMaxQmdResultsMinimal", "recall.minimal_results", "4"},
                           {"maxMemoryTokens", "recall.max_tokens", "2000"},
                           {"qmdEnabled", "recall.search_enabled", "true"},
                           {"qmdMaxResults", "recall.max_results", "8"},
                           {"intentRoutingEnabled", "recall.intent_routing", "false"},
                           {"intentRoutingBoost", "recall.intent_boost", "0.12"},
                           {"verbatimArtifactsEnabled", "recall.verbatim_artifacts", "false"},
                           {"queryExpansionEnabled", "recall.query_expansion", "false"},
                           {"rerankEnabled", "recall.rerank", "false"}};
  EngineOptions options;
  options.folder = "/work";
  EngineParts parts;
  parts.files = std::make_shared<MemoryFileSystem>();
  std::dynamic_pointer_cast<MemoryFileSystem>(parts.files)->put_kind("/work/.git", FileKind::kDirectory);
  parts.ledger = testing::make_real_ledger();
  const auto engine = Engine::open(options, parts);
  ASSERT_OK(engine);
  const auto rows = (*engine)->config(false);
  ASSERT_OK(rows);
  const std::string mapping = testing::read_source_file("docs/memory.md");
  for (const Row& row : kRows) {
    const auto found = std::find_if(rows->begin(), rows->end(),
                                    [&](const SettingRow& each) { return each.key == row.here; });
    ASSERT_NE(found, rows->end()) << row.here;
    EXPECT_EQ(found->value, row.value) << row.here;
    EXPECT_THAT(mapping, HasSubstr(fmt::format("| `{}` | `{}`", row.there, row.here)));
  }
}

}  // namespace
}  // namespace knapsack

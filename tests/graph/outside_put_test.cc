// What other programs append is told, what a context pack holds, and when a clarify task has been answered.
#include <algorithm>

#include "graph/support_graph.h"
#include "support/support.h"

namespace knapsack {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using testing::GraphWorkspace;
using ::testing::IsEmpty;

std::vector<std::string> delta_ids(const json& pack) {
  std::vector<std::string> found;
  for (const json& each : pack["recent_deltas"]) found.push_back(each["id"]);
  return found;
}

TEST(GraphOutsidePut, LinesThatWereAppendedAfterTheCommitAreInTheDeltas) {
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-1"}});
  work.add({{"id", "KG-FACT-2"}});
  work.add_commit("CM-1", {"KG-FACT-1"});  // of 2026-03-01; nodes are older
  EXPECT_THAT(delta_ids(work.pack("explain KG-FACT-1")), ElementsAre("KG-FACT-1"));
  work.add({{"id", "KG-FACT-3"}, {"updated_at", "2026-11-14T08:00:00Z"}});
  work.add({{"id", "KG-FACT-1"}, {"rev", 2}, {"updated_at", "2026-11-15T07:00:00Z"}});
  const json pack = work.pack("explain KG-FACT-1");
  EXPECT_THAT(delta_ids(pack), ElementsAre("KG-FACT-1", "KG-FACT-3", "KG-FACT-1")) << "newest first";
  EXPECT_EQ(pack["recent_deltas"][0]["change"], "updated");
  EXPECT_FALSE(pack["recent_deltas"][0].contains("commit_id"));
  EXPECT_EQ(pack["recent_deltas"][1]["change"], "created");
  EXPECT_EQ(pack["recent_deltas"][2]["commit_id"], "CM-1");
  // A date that lies in the future says nothing about when the line came.
  work.add({{"id", "KG-FACT-4"}, {"updated_at", "2031-01-01T00:00:00Z"}});
  EXPECT_EQ(delta_ids(work.pack("explain KG-FACT-1")).size(), 3U);
}

TEST(GraphOutsidePut, LinesWithoutADateCountWhereTheyStandBehindTheCommitted) {
  GraphWorkspace work;
  work.add_line("kg_nodes.jsonl", R"({"id":"KG-FACT-0","type":"fact","title":"Before"})");
  work.add({{"id", "KG-FACT-1"}});
  work.add({{"id", "KG-FACT-2"}});
  work.add_commit("CM-1", {"KG-FACT-2"});
  work.add_line("kg_nodes.jsonl", R"({"id":"KG-FACT-9","type":"fact","title":"Appended"})");
  EXPECT_THAT(delta_ids(work.pack("explain KG-FACT-1")), ElementsAre("KG-FACT-9", "KG-FACT-2"));
}

TEST(GraphOutsidePut, WhatSeveralCommitsOfOneMomentWroteIsNotTakenForAppended) {
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-1"}, {"updated_at", "2026-03-01T00:00:00Z"}});
  work.add({{"id", "KG-FACT-2"}, {"updated_at", "2026-03-01T00:00:00Z"}});
  work.add_commit("CM-1", {"KG-FACT-1"});
  work.add_commit("CM-2", {"KG-FACT-2"});
  EXPECT_THAT(delta_ids(work.pack("explain KG-FACT-1")), ElementsAre("KG-FACT-2"));
}

TEST(GraphOutsidePut, TheLimitOfDeltasHoldsForBothKinds) {
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-1"}});
  work.add_commit("CM-1", {"KG-FACT-1"});
  for (int i = 2; i < 9; ++i)
    work.add({{"id", "KG-FACT-" + std::to_string(i)}, {"updated_at", "2026-11-14T08:00:00Z"}});
  EXPECT_EQ(delta_ids(work.pack("explain KG-FACT-1", {{"graph.max_deltas", "3"}})).size(), 3U);
}

json latest_pack(const GraphWorkspace& work) {
  return json::parse(work.bytes().at("/work/graphs/context_pack.latest.json"));
}

TEST(GraphContextPack, HoldsTheGraphAsItIsAfterTheCommitWithinTheCaps) {
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-1"}, {"title", "Carriers retry"}});
  work.add({{"id", "RG-DEC-1"}, {"outcome", {{"status", "accepted"}}}, {"decision", "We poll"}});
  work.add({{"id", "TG-TASK-1"}, {"status", "ready"}});
  const json task = {{"id", "TG-TASK-2"},
                     {"title", "Resume"},
                     {"status", "in_progress"},
                     {"dependencies", {"TG-TASK-1"}},
                     {"inputs", {{"kg_refs", {"KG-FACT-1"}}, {"rg_refs", {"RG-DEC-1"}}}}};
  ASSERT_OK(work.engine()->graph_put({{}, task.dump()}));
  const json pack = latest_pack(work);
  EXPECT_EQ(pack["changed_node_ids"], json::array({"TG-TASK-2"}));
  EXPECT_THAT(testing::ids(pack["task_snapshot"]), ElementsAre("TG-TASK-2", "TG-TASK-1"));
  EXPECT_EQ(pack["task_snapshot"][0]["title"], "Resume");
  EXPECT_THAT(testing::ids(pack["knowledge_snapshot"]), ElementsAre("KG-FACT-1"));
  EXPECT_THAT(testing::ids(pack["decision_snapshot"]), ElementsAre("RG-DEC-1"));
  EXPECT_THAT(pack["active_tasks"].get<std::vector<std::string>>(), ::testing::Contains("TG-TASK-2"));
  EXPECT_EQ(pack["recent_deltas"][0]["id"], "TG-TASK-2");
  EXPECT_EQ(pack["recent_deltas"][0]["change"], "created");
  EXPECT_EQ(pack["recent_deltas"][0]["commit_id"], pack["commit_id"]);
  const json capped = {
      {"id", "TG-TASK-3"}, {"title", "x"}, {"status", "ready"}, {"dependencies", {"TG-TASK-2"}}};
  ASSERT_OK(work.engine()->graph_put({{{"graph.max_tasks", "1"}}, capped.dump()}));
  EXPECT_EQ(latest_pack(work)["task_snapshot"].size(), 1U);
}

TEST(GraphContextPack, HoldsNoSecretOfTheNodesAroundTheChange) {
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-1"}, {"title", "The token is ghp_" + std::string(36, 'A')}});
  const json task = {
      {"id", "TG-TASK-2"}, {"title", "t"}, {"status", "ready"}, {"inputs", {{"kg_refs", {"KG-FACT-1"}}}}};
  ASSERT_OK(work.engine()->graph_put({{}, task.dump()}));
  EXPECT_THAT(testing::ids(latest_pack(work)["knowledge_snapshot"]), ElementsAre("KG-FACT-1"));
  EXPECT_THAT(latest_pack(work).dump(), ::testing::Not(::testing::HasSubstr("ghp_")));
}

GraphPackRequest asks(const std::string& text) {
  GraphPackRequest request;
  request.request = text;
  request.apply_clarify_task = true;
  request.format = "json";
  return request;
}

TEST(GraphClarifyAgain, AClosedTaskIsNotTheAnswerToTheSameQuestionAskedAnew) {
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-1"}});
  const std::string first = work.try_pack(asks("implement the zeppelin"))->clarify_task_id;
  ASSERT_NE(first, "");
  EXPECT_EQ(work.try_pack(asks("implement the zeppelin"))->clarify_task_id, first) << "open: it still asks";
  json closed = json::parse(work.engine()->graph_show({{}, first})->json);
  closed["status"] = "done";
  closed.erase("rev");
  closed.erase("updated_at");
  ASSERT_OK(work.engine()->graph_put({{}, closed.dump()}));
  const std::string second = work.try_pack(asks("implement the zeppelin"))->clarify_task_id;
  EXPECT_NE(second, first);
  EXPECT_NE(second, "");
  EXPECT_EQ(work.try_pack(asks("implement the zeppelin"))->clarify_task_id, second);
}

TEST(GraphClarifyAgain, AClosedTaskIsNotWhatAnotherQuestionIsAbout) {
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-1"}});
  const std::string first = work.try_pack(asks("implement the zeppelin"))->clarify_task_id;
  json closed = json::parse(work.engine()->graph_show({{}, first})->json);
  closed["status"] = "cancelled";
  closed.erase("rev");
  closed.erase("updated_at");
  ASSERT_OK(work.engine()->graph_put({{}, closed.dump()}));
  const json pack = work.pack("implement a zeppelin harbour");
  EXPECT_THAT(pack["entities"], IsEmpty()) << pack["entities"];
  EXPECT_EQ(pack["critical_info_missing"], true);
  EXPECT_TRUE(pack.contains("clarify_suggestion"));
  EXPECT_EQ(work.pack("explain " + first)["entities"].size(), 1U) << "named, it is meant";
}

}  // namespace
}  // namespace knapsack

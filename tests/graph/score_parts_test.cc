// Each part of a score by itself, and each step of the order of nodes: one test a line of the rules.
#include "graph/support_graph.h"
#include "support/support.h"

namespace knapsack {
namespace {

using nlohmann::json;
using testing::entry;
using testing::GraphWorkspace;
using testing::ids;

using Ids = std::vector<std::string>;

// The parts that are not zero.
json parts(const json& snapshot, const char* id) {
  json found = json::object();
  const json node = entry(snapshot, id);
  int64_t sum = 0;
  if (node.is_null()) return found;
  for (const auto& [name, value] : node["components"].items()) {
    sum += value.get<int64_t>();
    if (value != 0) found[name] = value;
  }
  EXPECT_EQ(node["score"], sum) << id << ": the parts do not add up";
  return found;
}

TEST(GraphScorePart, IsFiveForADirectEntityMatch) {
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-1"}, {"title", "Zeppelin"}});
  work.add({{"id", "KG-FACT-2"}, {"title", "Harbour"}});
  EXPECT_EQ(parts(work.pack("explain KG-FACT-1")["knowledge_snapshot"], "KG-FACT-1"), json({{"entity", 5}}));
  EXPECT_EQ(parts(work.pack("explain the zeppelin")["knowledge_snapshot"], "KG-FACT-1"),
            json({{"entity", 5}}));
  EXPECT_EQ(parts(work.pack("explain KG-FACT-1 the zeppelin")["knowledge_snapshot"], "KG-FACT-1"),
            json({{"entity", 5}}))
      << "once, however it matches";
}

TEST(GraphScorePart, IsFourForAReferenceOfASelectedTask) {
  GraphWorkspace work;
  work.add({{"id", "TG-TASK-1"}, {"inputs", {{"kg_refs", {"KG-FACT-1"}}}}, {"links", {"KG-FACT-1"}}});
  work.add({{"id", "TG-TASK-2"}, {"inputs", {{"kg_refs", {"KG-FACT-1"}}}}});
  work.add({{"id", "TG-TASK-3"}, {"inputs", {{"kg_refs", {"KG-FACT-2"}}}}});
  work.add({{"id", "KG-FACT-1"}});
  work.add({{"id", "KG-FACT-2"}});
  const auto pack = work.pack("explain TG-TASK-1 and TG-TASK-2");
  EXPECT_EQ(parts(pack["knowledge_snapshot"], "KG-FACT-1"), json({{"selected_task", 4}}))
      << "once, however many tasks refer to it";
  EXPECT_EQ(entry(pack["knowledge_snapshot"], "KG-FACT-2"), nullptr) << "its task is not selected";
}

TEST(GraphScorePart, IsThreeForAReferenceOfAnAcceptedDecision) {
  for (const char* status : {"accepted", "proposed", "rejected", "superseded"}) {
    GraphWorkspace work;
    work.add({{"id", "RG-DEC-1"}, {"outcome", {{"status", status}}}, {"refs", {{"kg_refs", {"KG-FACT-1"}}}}});
    work.add({{"id", "KG-FACT-1"}});
    const json expected =
        std::string(status) == "accepted" ? json({{"accepted_decision", 3}}) : json::object();
    EXPECT_EQ(parts(work.pack("hello")["knowledge_snapshot"], "KG-FACT-1"), expected) << status;
  }
}

TEST(GraphScorePart, IsTwoForATagOrTypeOfConstraintOrRisk) {
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-1"}, {"tags", {"constraint"}}});
  work.add({{"id", "KG-FACT-2"}, {"tags", {"other", "RISK"}}});
  work.add({{"id", "KG-FACT-3"}, {"tags", {"constraint", "risk"}}});
  work.add({{"id", "KG-RISK-4"}, {"type", "risk"}});
  work.add({{"id", "KG-FACT-5"}, {"tags", {"risky", "constraints"}}});
  const auto knowledge = work.pack("hello")["knowledge_snapshot"];
  for (const char* id : {"KG-FACT-1", "KG-FACT-2", "KG-FACT-3", "KG-RISK-4"}) {
    EXPECT_EQ(parts(knowledge, id), json({{"constraint_or_risk", 2}})) << id;
  }
  EXPECT_EQ(entry(knowledge, "KG-FACT-5"), nullptr) << "neither word is one of the two";
}

TEST(GraphOrderStep, OneIsTheHigherScoreWhateverIsNewer) {
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-1"}, {"tags", {"risk"}}, {"updated_at", "2026-03-01T00:00:00Z"}});
  work.add({{"id", "KG-FACT-2"}, {"updated_at", "2026-02-01T00:00:00Z"}});
  EXPECT_EQ(ids(work.pack("explain KG-FACT-2")["knowledge_snapshot"]), (Ids{"KG-FACT-2", "KG-FACT-1"}));
}

TEST(GraphOrderStep, TwoIsTheLaterUpdateWhateverTheId) {
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-1"}, {"tags", {"risk"}}, {"updated_at", "2026-02-01T00:00:00Z"}});
  work.add({{"id", "KG-FACT-2"}, {"tags", {"risk"}}, {"updated_at", "2026-02-01T00:00:01Z"}});
  EXPECT_EQ(ids(work.pack("hello")["knowledge_snapshot"]), (Ids{"KG-FACT-2", "KG-FACT-1"}));
}

TEST(GraphOrderStep, ThreeIsTheSmallerIdWhateverTheLine) {
  GraphWorkspace work;
  for (const char* id : {"KG-FACT-3", "KG-FACT-10", "KG-FACT-2"}) work.add({{"id", id}, {"tags", {"risk"}}});
  EXPECT_EQ(ids(work.pack("hello")["knowledge_snapshot"]), (Ids{"KG-FACT-10", "KG-FACT-2", "KG-FACT-3"}));
}

TEST(GraphDeltaAnchor, PrefersTheCommitThatIsGivenThenTheLatestThenThePriorRequest) {
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-1"}, {"updated_at", "2026-11-14T00:00:00Z"}});
  work.files->put("/work/graphs/request_context.latest.json",
                  R"({"request_seq": 4, "generated_at": "2026-11-13T00:00:00Z"})");
  const auto prior = work.pack("hello");
  EXPECT_FALSE(prior.contains("commit_id"));
  EXPECT_EQ(ids(prior["recent_deltas"]), Ids{"KG-FACT-1"});
  work.add_commit("CM-1", {"KG-FACT-1"});
  work.add_commit("CM-2", {});
  EXPECT_EQ(work.pack("hello")["commit_id"], "CM-2") << "before the prior request";
  GraphPackRequest request;
  request.request = "hello";
  request.dry_run = true;
  request.format = "json";
  request.commit_id = "CM-1";
  EXPECT_EQ(json::parse(work.try_pack(request)->output)["commit_id"], "CM-1") << "before the latest commit";
}

TEST(GraphNodeText, GivesSentencesALineEachAndIdsOneLine) {
  GraphWorkspace work;
  work.add({{"id", "TG-TASK-1"},
            {"acceptance_criteria", {"It resumes", "Nothing is lost"}},
            {"dependencies", {"TG-TASK-2", "TG-TASK-3"}},
            {"inputs", {{"kg_refs", {"KG-FACT-1"}}}},
            {"log", {{{"at", "2026-11-14"}, {"text", "found it"}}}}});
  const std::string text = work.engine()->graph_show({{}, "TG-TASK-1"})->text;
  EXPECT_THAT(text, ::testing::HasSubstr("done when:\n- It resumes\n- Nothing is lost\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("depends on: TG-TASK-2, TG-TASK-3\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("knowledge: KG-FACT-1\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("log:\n- 2026-11-14: found it\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("revision 1, the only one, updated 2026-01-01T00:00:00Z\n"));
}

}  // namespace
}  // namespace knapsack

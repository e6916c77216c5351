// One test a rule of the retrieval rules, on graphs whose answer is worked out by hand.
#include "graph/select/entities.h"
#include "graph/store/graph_reader.h"
#include "graph/support_graph.h"
#include "support/support.h"

namespace knapsack {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::entry;
using testing::GraphWorkspace;
using ::testing::HasSubstr;
using testing::ids;
using ::testing::IsEmpty;
using ::testing::Not;

using Ids = std::vector<std::string>;

json components(int entity, int task, int decision, int weighty, int recency) {
  return {{"entity", entity},
          {"selected_task", task},
          {"accepted_decision", decision},
          {"constraint_or_risk", weighty},
          {"recency", recency}};
}

TEST(GraphIntent, ThatIsGivenOverridesTheClassifier) {
  const GraphWorkspace work;
  EXPECT_EQ(work.pack("fix the crash")["intent"], "debug");
  const auto given = work.pack("fix the crash", {}, "plan");
  EXPECT_EQ(given["intent"], "plan");
  EXPECT_EQ(given["intent_reason"], "given with the request");
}

TEST(GraphEntities, AreIdsInAnyCaseAndLength) {
  GraphWorkspace work;
  work.add({{"id", "TG-TASK-7"}});
  work.add({{"id", "TG-TASK-70"}});
  work.add({{"id", "KG-FACT-01JABCDEFGHJKMNPQRSTVWXYZ0"}});
  const auto pack = work.pack("see tg-task-7, (kg-fact-01jabcdefghjkmnpqrstvwxyz0) and RG-DEC-404.");
  EXPECT_EQ(ids(pack["entities"]), (Ids{"TG-TASK-7", "KG-FACT-01JABCDEFGHJKMNPQRSTVWXYZ0"}));
  EXPECT_EQ(pack["entities"][0]["match"], "id");
  EXPECT_EQ(pack["unknown_ids"], json({"RG-DEC-404"}));
}

TEST(GraphEntities, OfManyIdsTheGraphDoesNotHaveTakeOneLookAtIt) {
  constexpr int kMany = 200'000;
  std::string lines, request;
  for (int i = 0; i < kMany; ++i) {
    const std::string number = std::to_string(1'000'000 + i);
    lines += "{\"id\":\"KG-FACT-" + number + "A\",\"title\":\"t\"}\n";
    request += "KG-FACT-" + number + "B ";
  }
  GraphWorkspace work;
  work.add_line("kg_nodes.jsonl", lines);
  const auto view = graph::open_store(*work.files, "/work/graphs");
  ASSERT_OK(view);
  const auto read = graph::read_graph(*work.files, *view, "");
  ASSERT_OK(read);
  const auto entities = graph::find_entities(read->index, request + "kg-fact-1000007a KG-Fact-1000007A", {});
  EXPECT_EQ(entities.unknown_ids.size(), static_cast<size_t>(kMany));
  ASSERT_EQ(entities.found.size(), 1U);
  EXPECT_EQ(read->index.id(entities.found[0].node), "KG-FACT-1000007A");
}

TEST(GraphEntities, AreNotIdsInsideOtherWords) {
  GraphWorkspace work;
  work.add({{"id", "TG-TASK-7"}});
  work.add({{"id", "TG-TASK-8"}});
  const auto pack = work.pack("look at xTG-TASK-7 and pre-TG-TASK-7");
  for (const auto& entity : pack["entities"]) EXPECT_NE(entity["match"], "id") << entity;
  EXPECT_EQ(pack["unknown_ids"], json::array());
}

TEST(GraphEntities, AreDistinctiveWordsOfTitleTagsTypeAndText) {
  GraphWorkspace work;
  for (int i = 0; i < 40; ++i) {
    work.add({{"id", "KG-FACT-" + std::to_string(i)},
              {"title", "A fact of the importer, number " + std::to_string(i)}});
  }
  work.add({{"id", "KG-FACT-TITLE"}, {"title", "Checkpoints of the importer"}});
  work.add({{"id", "KG-FACT-TAG"}, {"title", "Of something"}, {"tags", {"manifest"}}});
  work.add({{"id", "KG-FACT-TEXT"}, {"title", "Of nothing"}, {"summary", "The carrier sandbox lies"}});
  work.add({{"id", "KG-FACT-ATTRIBUTE"}, {"title", "Of nothing"}, {"attributes", {{"vendor", "Zephyrine"}}}});
  const auto found = [&](const char* request) { return ids(work.pack(request, {}, "explain")["entities"]); };
  EXPECT_EQ(found("the checkpoint"), Ids{"KG-FACT-TITLE"});
  EXPECT_EQ(found("manifests"), Ids{"KG-FACT-TAG"});
  EXPECT_EQ(found("carrier sandbox"), Ids{"KG-FACT-TEXT"});
  EXPECT_EQ(found("is it from zephyrine"), Ids{"KG-FACT-ATTRIBUTE"});
  EXPECT_EQ(found("of a the it number importer"), Ids{}) << "stop words and words that every node has";
  EXPECT_EQ(work.pack("the checkpoint")["entities"][0]["words"], json({"checkpoint"}));
}

TEST(GraphEntities, AreNotFoundByTheWordsThatDecidedTheIntent) {
  GraphWorkspace work;
  work.add({{"id", "TG-TASK-1"}, {"title", "Fix the typo"}});
  work.add({{"id", "TG-TASK-2"}, {"title", "Resume the importer"}});
  EXPECT_EQ(ids(work.pack("fix the importer")["entities"]), Ids{"TG-TASK-2"});
}

TEST(GraphCritical, NoEntityForIntentsThatNeedOne) {
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-1"}, {"tags", {"constraint"}}});
  work.add({{"id", "TG-TASK-1"}, {"tags", {"risk"}}});
  for (const char* intent : {"plan", "execute", "debug", "research"}) {
    const auto pack = work.pack("something else", {}, intent);
    EXPECT_TRUE(pack["critical_info_missing"]) << intent;
    EXPECT_EQ(pack["critical_reasons"].size(), 1U) << intent << pack["critical_reasons"];
    EXPECT_TRUE(pack.contains("clarify_suggestion")) << intent;
  }
  const auto explain = work.pack("something else", {}, "explain");
  EXPECT_FALSE(explain["critical_info_missing"]);
  EXPECT_FALSE(explain.contains("clarify_suggestion"));
}

TEST(GraphCritical, NoTaskToExecuteOrDebug) {
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-1"}});
  for (const char* intent : {"execute", "debug"}) {
    EXPECT_EQ(work.pack("KG-FACT-1", {}, intent)["critical_reasons"], json({"no task bears on the request"}));
  }
  for (const char* intent : {"plan", "research", "explain"}) {
    EXPECT_EQ(work.pack("KG-FACT-1", {}, intent)["critical_info_missing"], false) << intent;
  }
}

TEST(GraphCritical, NoKnowledgeUnlessItIsToBeExplained) {
  GraphWorkspace work;
  work.add({{"id", "TG-TASK-1"}});
  for (const char* intent : {"execute", "debug", "plan", "research"}) {
    EXPECT_EQ(work.pack("TG-TASK-1", {}, intent)["critical_reasons"],
              json({"no knowledge bears on the request"}));
  }
  EXPECT_EQ(work.pack("TG-TASK-1", {}, "explain")["critical_info_missing"], false);
}

TEST(GraphScore, AddsUpAsTheRulesSay) {
  GraphWorkspace work;
  work.add({{"id", "TG-TASK-1"}, {"inputs", {{"kg_refs", {"KG-FACT-ALL"}}, {"rg_refs", {"RG-DEC-1"}}}}});
  work.add({{"id", "RG-DEC-1"},
            {"outcome", {{"status", "accepted"}}},
            {"refs", {{"kg_refs", {"KG-FACT-ALL", "KG-FACT-3"}}}},
            {"updated_at", "2026-11-10T08:00:00Z"}});
  work.add(
      {{"id", "RG-DEC-2"}, {"outcome", {{"status", "proposed"}}}, {"refs", {{"kg_refs", {"KG-FACT-0"}}}}});
  work.add({{"id", "KG-FACT-ALL"}, {"tags", {"Risk"}}, {"updated_at", "2026-11-15T07:00:00Z"}});
  work.add({{"id", "KG-FACT-3"}});
  work.add({{"id", "KG-CON-2"}, {"type", "constraint"}});
  work.add({{"id", "KG-FACT-0"}});
  const auto pack = work.pack("do TG-TASK-1 with KG-FACT-ALL");
  const auto& knowledge = pack["knowledge_snapshot"];
  EXPECT_EQ(entry(knowledge, "KG-FACT-ALL")["components"], components(5, 4, 3, 2, 2));
  EXPECT_EQ(entry(knowledge, "KG-FACT-ALL")["score"], 16);
  EXPECT_EQ(entry(knowledge, "KG-FACT-3")["components"], components(0, 0, 3, 0, 0));
  EXPECT_EQ(entry(knowledge, "KG-CON-2")["components"], components(0, 0, 0, 2, 0));
  EXPECT_EQ(entry(knowledge, "KG-FACT-0"), nullptr) << "referenced by a decision that is only proposed";
  EXPECT_EQ(entry(pack["decision_snapshot"], "RG-DEC-1")["components"], components(0, 4, 0, 0, 1));
  EXPECT_EQ(entry(pack["task_snapshot"], "TG-TASK-1")["components"], components(5, 0, 0, 0, 0));
}

TEST(GraphScore, RecencyIsTwoWithinADayOneWithinAWeekAndNothingAfter) {
  GraphWorkspace work;
  const std::pair<const char*, int> rows[] = {{"2026-11-15T08:00:00Z", 2}, {"2026-11-14T08:00:00Z", 2},
                                              {"2026-11-14T07:59:59Z", 1}, {"2026-11-08T08:00:00Z", 1},
                                              {"2026-11-08T07:59:59Z", 0}, {"2027-01-01T00:00:00Z", 2}};
  std::string request = "explain";
  int number = 0;
  for (const auto& [at, points] : rows) {
    const std::string id = "KG-FACT-" + std::to_string(number++);
    work.add({{"id", id}, {"updated_at", at}});
    request += " " + id;
  }
  work.add({{"id", "KG-FACT-X"}, {"updated_at", "yesterday"}});
  const auto pack = work.pack(request + " KG-FACT-X");
  for (int i = 0; i < number; ++i) {
    EXPECT_EQ(entry(pack["knowledge_snapshot"], "KG-FACT-" + std::to_string(i))["components"]["recency"],
              rows[i].second)
        << rows[i].first;
  }
  EXPECT_EQ(entry(pack["knowledge_snapshot"], "KG-FACT-X")["components"]["recency"], 0);
}

TEST(GraphOrder, IsByScoreThenUpdateThenId) {
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-B"}, {"tags", {"risk"}}, {"updated_at", "2026-02-01T00:00:00Z"}});
  work.add({{"id", "KG-FACT-A"}, {"tags", {"risk"}}, {"updated_at", "2026-02-01T00:00:00Z"}});
  work.add({{"id", "KG-FACT-D"}, {"tags", {"risk"}}, {"updated_at", "2026-03-01T00:00:00Z"}});
  work.add({{"id", "KG-FACT-C"}});
  EXPECT_EQ(ids(work.pack("explain KG-FACT-C")["knowledge_snapshot"]),
            (Ids{"KG-FACT-C", "KG-FACT-D", "KG-FACT-A", "KG-FACT-B"}));
}

TEST(GraphCaps, KeepTheBestOfEachLayerAndCountTheRest) {
  GraphWorkspace work;
  for (int i = 10; i < 60; ++i) {
    const std::string n = std::to_string(i);
    work.add({{"id", "TG-TASK-" + n}, {"updated_at", "2026-11-15T07:00:" + n + "Z"}});
    work.add({{"id", "KG-FACT-" + n}, {"updated_at", "2026-11-15T07:00:" + n + "Z"}});
    work.add({{"id", "RG-DEC-" + n}, {"updated_at", "2026-11-15T07:00:" + n + "Z"}});
  }
  const auto pack = work.pack("what is new?");
  EXPECT_EQ(pack["task_snapshot"].size(), 15U);
  EXPECT_EQ(pack["knowledge_snapshot"].size(), 30U);
  EXPECT_EQ(pack["decision_snapshot"].size(), 10U);
  EXPECT_EQ(ids(pack["decision_snapshot"]).front(), "RG-DEC-59");
  const auto few =
      work.pack("what is new?", {{"graph.max_tasks", "1"}, {"graph.max_kg", "0"}, {"graph.max_rg", "2"}});
  EXPECT_EQ(ids(few["task_snapshot"]), Ids{"TG-TASK-59"});
  EXPECT_THAT(ids(few["knowledge_snapshot"]), IsEmpty());
  EXPECT_EQ(few["decision_snapshot"].size(), 2U);
  EXPECT_EQ(few["omitted"].size(), 49U + 50U + 48U);
}

TEST(GraphDecisions, ThatWereReplacedNeverOutrankWhatReplacedThem) {
  GraphWorkspace work;
  work.add(
      {{"id", "RG-DEC-1"}, {"outcome", {{"status", "superseded"}}}, {"updated_at", "2026-11-15T07:00:00Z"}});
  work.add({{"id", "RG-DEC-2"}, {"outcome", {{"status", "accepted"}, {"supersedes", {"RG-DEC-1"}}}}});
  work.add({{"id", "RG-DEC-3"}, {"outcome", {{"status", "accepted"}, {"supersedes", {"RG-DEC-2"}}}}});
  work.add(
      {{"id", "RG-DEC-4"}, {"outcome", {{"status", "rejected"}}}, {"updated_at", "2026-11-15T07:00:00Z"}});
  EXPECT_EQ(ids(work.pack("explain RG-DEC-1")["decision_snapshot"]), (Ids{"RG-DEC-3", "RG-DEC-1"}));
  EXPECT_EQ(ids(work.pack("explain RG-DEC-1", {{"graph.max_rg", "1"}})["decision_snapshot"]),
            Ids{"RG-DEC-3"});
  const auto other = work.pack("explain it");
  EXPECT_THAT(ids(other["decision_snapshot"]), IsEmpty()) << "stale ones only when the request is about them";
  EXPECT_EQ(entry(other["omitted"], "RG-DEC-1")["reason"], "replaced by RG-DEC-3");
  EXPECT_EQ(entry(other["omitted"], "RG-DEC-4")["reason"], "rejected, and the request is not about it");
}

TEST(GraphDecisions, ThatReplaceEachOtherInACircleDoNoHarm) {
  GraphWorkspace work;
  work.add({{"id", "RG-DEC-1"}, {"outcome", {{"status", "accepted"}, {"supersedes", {"RG-DEC-2"}}}}});
  work.add({{"id", "RG-DEC-2"}, {"outcome", {{"status", "accepted"}, {"supersedes", {"RG-DEC-1"}}}}});
  EXPECT_EQ(ids(work.pack("explain RG-DEC-1 and RG-DEC-2")["decision_snapshot"]),
            (Ids{"RG-DEC-1", "RG-DEC-2"}));
}

TEST(GraphDecisions, ThatLeadIntoACircleDoNoHarm) {
  GraphWorkspace work;
  work.add({{"id", "RG-DEC-1"}, {"outcome", {{"status", "accepted"}}}});
  work.add(
      {{"id", "RG-DEC-2"}, {"outcome", {{"status", "accepted"}, {"supersedes", {"RG-DEC-1", "RG-DEC-3"}}}}});
  work.add({{"id", "RG-DEC-3"}, {"outcome", {{"status", "accepted"}, {"supersedes", {"RG-DEC-2"}}}}});
  EXPECT_EQ(ids(work.pack("explain RG-DEC-1")["decision_snapshot"]), (Ids{"RG-DEC-1"}));
}

TEST(GraphDecisions, OfALongChainTheLastIsMeant) {
  constexpr int kDecisions = 180'000;
  std::string lines;
  for (int i = 0; i < kDecisions; ++i) {
    lines += "{\"id\":\"RG-DEC-" + std::to_string(i) +
             "\",\"type\":\"decision\",\"title\":\"t\",\"rev\":1,\"updated_at\":\"2026-11-15T07:00:00Z\","
             "\"outcome\":{\"status\":\"accepted\",\"supersedes\":[\"RG-DEC-" +
             std::to_string(i == 0 ? 0 : i - 1) + "\"]}}\n";
  }
  lines.pop_back();
  GraphWorkspace work;
  work.add_line("rg_nodes.jsonl", lines);
  const auto pack = work.pack("explain RG-DEC-0");
  EXPECT_EQ(ids(pack["decision_snapshot"]), (Ids{"RG-DEC-179999", "RG-DEC-0"}));
  EXPECT_EQ(entry(pack["omitted"], "RG-DEC-1")["reason"], "replaced by RG-DEC-179999");
}

TEST(GraphDeltas, StartAtTheCommitThatWasAskedFor) {
  GraphWorkspace work;
  for (const char* id : {"KG-FACT-1", "KG-FACT-2", "TG-TASK-3"}) work.add({{"id", id}});
  work.add({{"id", "KG-FACT-2"}, {"rev", 2}, {"updated_at", "2026-02-01T00:00:00Z"}});
  work.add_commit("CM-1", {"KG-FACT-1"});
  work.add_commit("CM-2", {"KG-FACT-2", "TG-TASK-3"});
  work.add_commit("CM-3", {"KG-FACT-2", "KG-FACT-GONE"});
  const auto rows = [&](std::optional<std::string> commit, const char* limit) {
    GraphPackRequest request;
    request.request = "what is new?";
    request.dry_run = true;
    request.format = "json";
    request.commit_id = std::move(commit);
    request.settings["graph.max_deltas"] = limit;
    Ids found;
    const json pack = json::parse(work.try_pack(request)->output);
    for (const auto& row : pack["recent_deltas"]) {
      found.push_back(row["commit_id"].get<std::string>() + " " + row["id"].get<std::string>() + " " +
                      row["change"].get<std::string>() + " " + row["layer"].get<std::string>());
    }
    return found;
  };
  EXPECT_THAT(rows({}, "20"),
              ElementsAre("CM-3 KG-FACT-2 updated knowledge", "CM-3 KG-FACT-GONE missing knowledge"));
  EXPECT_THAT(rows("CM-2", "20"),
              ElementsAre("CM-3 KG-FACT-2 updated knowledge", "CM-3 KG-FACT-GONE missing knowledge",
                          "CM-2 KG-FACT-2 updated knowledge", "CM-2 TG-TASK-3 created task"));
  EXPECT_EQ(rows("CM-1", "3").size(), 3U);
  GraphPackRequest unknown;
  unknown.request = "x";
  unknown.commit_id = "CM-9";
  EXPECT_THAT(work.try_pack(unknown).error().line(), HasSubstr("has no commit CM-9"));
}

TEST(GraphDeltas, WithoutCommitsStartAtThePriorRequest) {
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-1"}, {"updated_at", "2026-11-14T00:00:00Z"}});
  EXPECT_THAT(ids(work.pack("what is new?")["recent_deltas"]), IsEmpty());
  work.files->put("/work/graphs/request_context.latest.json",
                  R"({"request_seq": 4, "generated_at": "2026-11-13T00:00:00Z"})");
  const auto pack = work.pack("what is new?");
  EXPECT_EQ(ids(pack["recent_deltas"]), Ids{"KG-FACT-1"});
  EXPECT_EQ(pack["request_seq"], 5);
}

TEST(GraphTasks, ThatAreUnderWayAreAlwaysShownAndFinishedOnesOnlyWhenAskedFor) {
  GraphWorkspace work;
  work.add({{"id", "TG-TASK-1"}, {"status", "in_progress"}});
  work.add({{"id", "TG-TASK-2"}, {"status", "done"}, {"updated_at", "2026-11-15T07:00:00Z"}});
  work.add({{"id", "TG-TASK-3"}, {"status", "backlog"}});
  auto pack = work.pack("hello");
  EXPECT_EQ(ids(pack["task_snapshot"]), Ids{"TG-TASK-1"});
  EXPECT_EQ(pack["active_tasks"], json({"TG-TASK-1"}));
  EXPECT_THAT(ids(work.pack("explain TG-TASK-2")["task_snapshot"]), Contains("TG-TASK-2"));
}

}  // namespace
}  // namespace knapsack

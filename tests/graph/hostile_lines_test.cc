// Whatever the lines hold: reported, never fatal, and the rest is used.
#include "graph/support_graph.h"
#include "support/support.h"

namespace knapsack {
namespace {

using nlohmann::json;
using testing::GraphWorkspace;
using ::testing::HasSubstr;
using testing::ids;

struct HostileLine {
  std::string line;
  const char* says;
};

std::vector<HostileLine> hostile_lines() {
  return {{"{\"id\": \"KG-FACT-2\", ", "is not JSON"},
          {"[1, 2]", "is not a JSON object"},
          {"{\"title\": \"x\"}", "has no id"},
          {"{\"id\": 7}", "has no id"},
          {"{\"id\": \"fact\"}", "has an invalid id"},
          {"{\"id\": \"KG-\\u0000\\n\"}", "has an invalid id"},
          {"{\"id\": \"TG-TASK-1\"}", "belongs to tg_nodes.jsonl"},
          {"{\"id\": \"KG-FACT-2\", \"title\": \"\xff\xfe\"}", "is not valid UTF-8"},
          {"{\"id\": \"KG-FACT-2\", \"x\": " + std::string(5000, '[') + std::string(5000, ']') + "}",
           "nested deeper"},
          {std::string(300'000, '{'), "is n"},
          {"{\"id\": \"KG-FACT-2\", \"id2\": tru}", "is not JSON"},
          {std::string(100, '\0'), "is not JSON"}};
}

TEST(GraphHostileLines, AreReportedWithFileLineAndReasonAndTheRestIsUsed) {
  for (const HostileLine& hostile : hostile_lines()) {
    GraphWorkspace work;
    work.add({{"id", "KG-FACT-1"}});
    work.add_line("kg_nodes.jsonl", hostile.line);
    work.add({{"id", "KG-FACT-3"}});
    const auto pack = work.pack("explain KG-FACT-1 and KG-FACT-3");
    EXPECT_EQ(ids(pack["knowledge_snapshot"]).size(), 2U) << hostile.says;
    EXPECT_EQ(pack["status"], "degraded");
    EXPECT_THAT(pack["warnings"].dump(), HasSubstr("kg_nodes.jsonl line 2 ")) << hostile.says;
    EXPECT_THAT(pack["warnings"].dump(), HasSubstr(hostile.says));
    const auto report = work.engine()->graph_validate({});
    ASSERT_OK(report);
    EXPECT_GE(report->errors, 1U);
  }
}

TEST(GraphHostileLines, AMegabyteOfTitleIsShownCut) {
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-1"}, {"title", std::string(1 << 20, 'w')}});
  const auto pack = work.pack("explain KG-FACT-1", {{"graph.tokenizer", "bytes4"}});
  EXPECT_LT(pack["knowledge_snapshot"][0]["title"].get<std::string>().size(), 300U);
  const auto report = work.engine()->graph_validate({});
  ASSERT_EQ(report->findings.size(), 1U);
  EXPECT_FALSE(report->findings[0].error);
  EXPECT_THAT(report->findings[0].reason, HasSubstr("has a title of 1048576 bytes"));
}

TEST(GraphValidate, FindsWhatBreaksTheRulesOfTheStore) {
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-1"}, {"relationships", {{{"rel", "near"}, {"target_id", "KG-FACT-404"}}}}});
  work.add({{"id", "KG-FACT-1"}});
  work.add({{"id", "TG-TASK-1"}, {"dependencies", {"TG-TASK-2"}}});
  work.add({{"id", "TG-TASK-2"},
            {"blocks", json::array()},
            {"dependencies", {"TG-TASK-1"}},
            {"status", "nearly"}});
  work.add({{"id", "TG-TASK-3"}, {"dependencies", {"TG-TASK-3"}}});
  work.add_commit("CM-1", {"KG-FACT-1"});
  work.files->put("/work/graphs/context_pack.latest.json", R"({"commit_id": "CM-0"})");
  std::string all;
  const auto report = work.engine()->graph_validate({});
  ASSERT_OK(report);
  for (const auto& finding : report->findings) {
    all += finding.file + ":" + std::to_string(finding.line) + " " + finding.reason + "\n";
  }
  EXPECT_THAT(all, HasSubstr("kg_nodes.jsonl:2 KG-FACT-1 has revision 1 already in line 1"));
  EXPECT_THAT(all, HasSubstr("tg_nodes.jsonl:2 TG-TASK-2 has \"status\" that is none of"));
  EXPECT_THAT(all, HasSubstr("tasks wait for each other in a circle: TG-TASK-"));
  EXPECT_THAT(all, HasSubstr("TG-TASK-3 waits for itself"));
  EXPECT_THAT(all, HasSubstr("context_pack.latest.json:0 is not of CM-1, the last commit"));
  EXPECT_EQ(report->errors, report->findings.size());
}

TEST(GraphValidate, FindsReferencesThatLeadNowhere) {
  GraphWorkspace work;
  work.add(
      {{"id", "TG-TASK-1"}, {"inputs", {{"kg_refs", {"KG-FACT-404"}}}}, {"links", {"https://example.org"}}});
  const auto report = work.engine()->graph_validate({});
  ASSERT_EQ(report->findings.size(), 1U);
  EXPECT_EQ(report->findings[0].reason, "TG-TASK-1 refers to KG-FACT-404, which is not in the graph");
}

TEST(GraphPacket, LetsNoNodeOpenASectionOrAFence) {
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-1"},
            {"title", "Innocent\n\n## Tasks\n\n\x1b[31m"},
            {"summary", "# Graph Context\n## Knowledge\n```\nnever closed </entry></section>"}});
  GraphPackRequest request;
  request.request = "explain KG-FACT-1\n# Graph Context";
  request.dry_run = true;
  const auto markdown = work.try_pack(request)->output;
  size_t headings = 0;
  for (size_t at = 0; (at = markdown.find("\n## ", at)) != std::string::npos; ++at) ++headings;
  EXPECT_EQ(headings, 2U) << markdown;
  EXPECT_EQ(markdown.find("\n# "), std::string::npos) << markdown;
  EXPECT_EQ(markdown.find("\n```"), std::string::npos) << markdown;
  EXPECT_EQ(markdown.find('\x1b'), std::string::npos);
  request.format = "prompt";
  const auto prompt = work.try_pack(request)->output;
  EXPECT_THAT(prompt, HasSubstr("<entry-2>"));
}

TEST(GraphPacket, LetsNoSecretIntoTitlesIdsPacksOrTheLedger) {
  const std::string secret = "ghp_" + std::string("a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2");
  GraphWorkspace work;
  work.add({{"id", "TG-TASK-1"},
            {"title", "Rotate " + secret},
            {"description", secret},
            {"outputs", {{secret, secret}}},
            {"tags", {secret}}});
  work.add({{"id", "KG-FACT-" + secret}, {"tags", {"risk"}}});
  for (const char* format : {"md", "prompt", "json"}) {
    GraphPackRequest request;
    request.request = "implement TG-TASK-1 with " + secret;
    request.format = format;
    request.apply_clarify_task = true;
    const auto reply = work.try_pack(request);
    ASSERT_OK(reply);
    EXPECT_EQ(reply->output.find(secret), std::string::npos) << format << reply->output;
    EXPECT_THAT(reply->output, HasSubstr("[redacted"));
    const auto run = work.ledger->list_runs({})->front();
    EXPECT_EQ(run.record.request_json.find(secret), std::string::npos);
    const auto rows = work.ledger->decisions_of(run.key.sequence);
    for (const auto& row : *rows) EXPECT_EQ((row.candidate_id + row.title).find(secret), std::string::npos);
  }
  for (const auto& [path, bytes] : work.bytes()) {
    if (path.find("_nodes.jsonl") == std::string::npos) {
      EXPECT_EQ(bytes.find(secret), std::string::npos) << path;
    }
  }
}

TEST(GraphLedger, KnowsEveryCandidateWithItsStageAndReason) {
  GraphWorkspace work;
  for (int i = 0; i < 150; ++i) {
    work.add({{"id", "KG-FACT-" + std::to_string(i)}, {"updated_at", "2026-11-15T07:00:00Z"}});
  }
  GraphPackRequest request;
  request.request = "explain KG-FACT-7";
  request.settings["graph.max_kg"] = "2";
  ASSERT_OK(work.try_pack(request));
  const auto run = work.engine()->explain("latest", "KG-FACT-7");
  ASSERT_OK(run);
  EXPECT_THAT(run->answers.at(0), HasSubstr("KG-FACT-7 is there in full"));
  EXPECT_EQ(run->decisions.size(), 2U + 100U + 1U);
  EXPECT_THAT(work.engine()->explain("latest", "KG-FACT-1")->answers.at(0),
              HasSubstr("dropped at stage rank: beyond the 2 nodes that graph.max_kg allows"));
  EXPECT_EQ(run->decisions.back().title, "48 more");
  EXPECT_THAT(work.engine()->explain("latest", "TG-TASK-404")->answers.at(0),
              HasSubstr("as a node of the graph"));
}

}  // namespace
}  // namespace knapsack

// Engine::search: one list out of all sources, by words and by meaning, and what happens when one of them, or
// the model's server, is broken.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/support_workspace.h"
#include "support/embedding_server.h"

namespace knapsack {
namespace {

using namespace knapsack::testing;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class SearchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    write("src/billing.py",
          "def send_invoice(customer):\n    \"\"\"Mail the invoice.\"\"\"\n    return customer\n");
    write("src/engine.py",
          "import os\n\nclass Automobile:\n    def start(self):\n        return 'started'\n");
    write(".context/DECISIONS.md",
          "# Decisions\n\n## [2026-02-03-101500] Invoices are numbered without gaps\n\n"
          "**Decision**: One counter, in one transaction.\n");
    write("graphs/kg_nodes.jsonl", "");
    write("graphs/rg_nodes.jsonl", "");
    write("graphs/commits.jsonl", "");
    write("graphs/tg_nodes.jsonl",
          R"({"id":"TG-TASK-1","type":"task","title":"Resend an invoice","status":"ready","rev":1,)"
          R"("updated_at":"2026-01-01T00:00:00Z","created_at":"2026-01-01T00:00:00Z"})"
          "\n");
    memory("fact-1", "Customers want the invoice as PDF.");
    memory("fact-2", "The server room is cold.");
    workspace_.environment["KNAPSACK_MODEL_TIMEOUT"] = "5s";
    workspace_.index(1);
  }

  void write(const std::string& name, const std::string& bytes) const {
    workspace_.folder().write(name, bytes);
  }
  void memory(const std::string& id, const std::string& text) const {
    // A day of its own each: what was said on one day answers together.
    write(".knapsack/memory/facts/2026-01-0" + id.substr(id.size() - 1) + "/" + id + ".md",
          "---\nid: " + id + "\ncreated: 2026-01-01T10:00:00Z\n---\n" + text + "\n");
  }
  SearchReply search(SearchRequest request) {
    auto reply = workspace_.engine().search(request);
    EXPECT_OK(reply);
    return reply.ok() ? *std::move(reply) : SearchReply();
  }
  SearchReply search(const std::string& query) {
    SearchRequest request;
    request.query = query;
    return search(std::move(request));
  }
  SearchRequest with_model(const std::string& query, const EmbeddingServer& server) {
    SearchRequest request;
    request.query = query;
    request.embed_model = "test-embed";
    request.embed_url = server.base_url();
    return request;
  }
  static std::vector<std::string> places(const SearchReply& reply) {
    std::vector<std::string> places;
    for (const SearchHit& hit : reply.hits) places.push_back(hit.place());
    return places;
  }

  RetrievalWorkspace workspace_;
};

TEST_F(SearchTest, FindsInAllSourcesAndSaysWhere) {
  const auto reply = search("invoice");
  EXPECT_EQ(reply.status, RunStatus::kOk);
  EXPECT_THAT(places(reply), ::testing::UnorderedElementsAre("src/billing.py:1", ".context/DECISIONS.md:3",
                                                             "fact-1", "TG-TASK-1"));
  for (const SearchHit& hit : reply.hits) {
    EXPECT_GT(hit.score.total, 0);
    EXPECT_LE(hit.score.total, 1);
    double sum = 0;
    for (const ScoreComponent& part : hit.score.components) sum += part.value;
    EXPECT_DOUBLE_EQ(sum, hit.score.total) << hit.id;
    EXPECT_FALSE(hit.title.empty()) << hit.id;
  }
  EXPECT_EQ(reply.hits.front().source, Source::kCode) << "equal scores go by source";
  EXPECT_EQ(reply.hits.front().title, "send_invoice");
}

TEST_F(SearchTest, TheSourceThatKnowsMoreOfTheWordsComesFirst) {
  const auto reply = search("invoices numbered without gaps");
  ASSERT_FALSE(reply.hits.empty());
  EXPECT_EQ(reply.hits.front().source, Source::kNotes);
  EXPECT_LT(reply.hits.at(1).score.total, reply.hits.front().score.total);
}

TEST_F(SearchTest, NamedSourcesAreTheOnlyOnesSearched) {
  SearchRequest request;
  request.query = "invoice";
  request.sources = {"memory", "graph"};
  const auto reply = search(request);
  EXPECT_THAT(places(reply), ::testing::UnorderedElementsAre("fact-1", "TG-TASK-1"));
  EXPECT_EQ(reply.sources.size(), 2U);
}

TEST_F(SearchTest, PhrasesAndExcludedWordsAreCheckedOnTheText) {
  EXPECT_THAT(places(search("\"invoice as PDF\"")), ElementsAre("fact-1"));
  EXPECT_THAT(places(search("invoice -customer -customers -resend")), ElementsAre(".context/DECISIONS.md:3"));
  EXPECT_THAT(places(search("\"invoice in the sky\"")), IsEmpty());
}

TEST_F(SearchTest, AFileOfAnotherSourceIsAResultOfThatSourceAlone) {
  const auto both = search("invoices numbered");
  for (const SearchHit& hit : both.hits) {
    if (hit.source == Source::kCode) {
      EXPECT_THAT(hit.path, ::testing::StartsWith("src/"));
    }
  }
  SearchRequest request;
  request.query = "invoices numbered";
  request.sources = {"code"};
  EXPECT_THAT(places(search(request)), Contains(HasSubstr("DECISIONS.md")))
      << "alone it is a file like others";
}

TEST_F(SearchTest, LimitsAndCountsTheRest) {
  SearchRequest request;
  request.query = "invoice";
  request.limit = 2;
  const auto reply = search(request);
  EXPECT_EQ(reply.hits.size(), 2U);
  EXPECT_EQ(reply.found, 4U);
  EXPECT_THAT(reply.output, HasSubstr("and 2 more; a limit of 4 shows them"));
}

TEST_F(SearchTest, BadRequestsAreRefusedWithWhatToDo) {
  const auto refused = [&](const std::string& query, const std::string& source = "",
                           const std::string& mode = "lex", size_t limit = 10) {
    SearchRequest request;
    request.query = query;
    if (!source.empty()) request.sources = {source};
    request.mode = mode;
    request.limit = limit;
    const auto reply = workspace_.engine().search(request);
    ASSERT_FALSE(reply.ok()) << query;
    EXPECT_EQ(reply.error().code, ErrorCode::kUsage);
    EXPECT_FALSE(reply.error().next.empty());
  };
  for (const char* query : {"", "   ", "-only -excluded", "!!!"}) refused(query);
  refused(std::string(kMaxQueryBytes + 1, 'x'));
  refused("a", "wiki");
  refused("a", "", "fuzzy");
  refused("a", "", "lex", 0);
  refused("a", "", "vec");
}

TEST_F(SearchTest, AnAbsentSourceIsNoProblemAndABrokenOneDegrades) {
  std::filesystem::remove_all(workspace_.folder().file("graphs"));
  const auto absent = search("invoice");
  EXPECT_EQ(absent.status, RunStatus::kOk);
  EXPECT_EQ(absent.sources.size(), 3U);
  write("graphs", "a file in the place of the folder");
  const auto broken = search("invoice");
  EXPECT_EQ(broken.status, RunStatus::kDegraded);
  EXPECT_THAT(broken.notices, Contains(HasSubstr("graph is left out")));
  EXPECT_THAT(places(broken), Contains("fact-1"));
}

TEST_F(SearchTest, NothingFoundIsEmptyAndNotDegraded) {
  const auto reply = search("zeppelin");
  EXPECT_EQ(reply.status, RunStatus::kEmpty);
  EXPECT_EQ(reply.output, "Nothing matches.\n");
}

TEST_F(SearchTest, SecretsAreInNoResultAndNotSentToTheModel) {
  const std::string secret = "AKIAIOSFODNN7EXAMPLE";
  memory("fact-3", "The invoice bucket key is " + secret + " for now.");
  const EmbeddingServer server;
  const auto reply = search(with_model("invoice bucket", server));
  EXPECT_THAT(places(reply), Contains("fact-3"));
  EXPECT_THAT(reply.output, Not(HasSubstr(secret)));
  EXPECT_FALSE(server.texts().empty());
  for (const std::string& text : server.texts()) EXPECT_THAT(text, Not(HasSubstr(secret)));
}

TEST_F(SearchTest, MeaningFindsWhatSharesNoWord) {
  EXPECT_THAT(search("vehicle").hits, IsEmpty());
  const EmbeddingServer server(512);
  SearchRequest request = with_model("vehicle", server);
  request.sources = {"code"};
  request.mode = "vec";
  const auto reply = search(request);
  EXPECT_EQ(reply.status, RunStatus::kOk) << reply.output;
  EXPECT_EQ(reply.mode, "vec");
  ASSERT_FALSE(reply.hits.empty());
  EXPECT_EQ(reply.hits.front().id, "src/engine.py");
  EXPECT_EQ(reply.hits.front().score.components.front().name, "meaning");
}

TEST_F(SearchTest, HybridJoinsBothAndEmbedsEachTextOnce) {
  EmbeddingServer server;
  for (const char* fusion : {"sum", "rrf"}) {
    SearchRequest request = with_model("bill", server);
    request.settings["search.fusion"] = fusion;
    const auto reply = search(request);
    EXPECT_THAT(places(reply), Contains("fact-1")) << fusion;
  }
  const int before = server.requests();
  const auto reply = search(with_model("invoice", server));
  EXPECT_EQ(reply.mode, "hybrid");
  EXPECT_EQ(server.requests(), before + 1) << "only the query is new";
  memory("fact-9", "A new one.");
  search(with_model("invoice", server));
  EXPECT_EQ(server.requests(), before + 3) << "the query and the new memory";
}

TEST_F(SearchTest, AServerThatIsGoneLeavesTheAnswerByWords) {
  std::string url;
  {
    const EmbeddingServer server;
    url = server.base_url();
  }
  for (const std::string mode : {"hybrid", "vec"}) {
    SearchRequest request;
    request.query = "invoice";
    request.mode = mode;
    request.embed_model = "m";
    request.embed_url = url;
    const auto reply = search(request);
    EXPECT_EQ(reply.status, RunStatus::kDegraded);
    EXPECT_EQ(reply.mode, "lex");
    EXPECT_THAT(reply.notices, Contains(HasSubstr("searched by words only")));
    EXPECT_EQ(places(reply), places(search("invoice")));
  }
}

TEST_F(SearchTest, AServerThatFailsWhileTextsAreEmbeddedLeavesTheAnswerByWords) {
  for (const EmbeddingFault fault :
       {EmbeddingFault::kStatus500, EmbeddingFault::kFewerVectors, EmbeddingFault::kOtherDimensions,
        EmbeddingFault::kNullNumber, EmbeddingFault::kZeros, EmbeddingFault::kCutBody}) {
    EmbeddingServer server;
    server.misbehave(fault, 1'000'000, 1);  // the query's own vector is right
    const auto reply = search(with_model("invoice", server));
    EXPECT_EQ(reply.status, RunStatus::kDegraded) << static_cast<int>(fault);
    EXPECT_EQ(places(reply), places(search("invoice"))) << static_cast<int>(fault);
  }
}

TEST_F(SearchTest, AModelThatChangedIsNeverMixedWithWhatItWas) {
  EmbeddingServer server(512);
  SearchRequest request = with_model("vehicle", server);
  request.sources = {"code", "memory"};
  request.mode = "vec";
  const auto before = places(search(request));
  const size_t texts = server.texts().size();
  server.change_model(7);
  EXPECT_EQ(places(search(request)).front(), before.front());
  EXPECT_EQ(server.texts().size(), 2 * texts) << "everything was embedded again";
  server.change_dimensions(400);
  EXPECT_EQ(places(search(request)).front(), before.front());
  EXPECT_EQ(server.texts().size(), 3 * texts);
}

TEST_F(SearchTest, RerankAndMmrAreNamedSwitches) {
  memory("fact-4", "Customers want the invoice as PDF!");
  SearchRequest request;
  request.query = "invoice PDF customers";
  request.sources = {"memory"};
  request.explain = true;
  const auto plain = search(request);
  EXPECT_THAT(plain.output, HasSubstr("mode lex; fusion sum; rerank off; mmr off"));
  request.settings["search.rerank"] = "true";
  const auto reranked = search(request);
  EXPECT_THAT(reranked.output, HasSubstr("rerank on"));
  EXPECT_THAT(reranked.output, HasSubstr("words held"));
  EXPECT_GT(reranked.hits.front().score.total, plain.hits.front().score.total);
  request.settings["search.mmr"] = "true";
  EXPECT_THAT(search(request).output, HasSubstr("mmr on"));
}

TEST_F(SearchTest, LeavesARunWithARowForEveryResultAndForTheRest) {
  SearchRequest request;
  request.query = "invoice ghp_a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2";
  request.limit = 2;
  const auto reply = search(request);
  ASSERT_TRUE(reply.run);
  const auto runs = workspace_.ledger()->list_runs({});
  ASSERT_OK(runs);
  const RunRecord& run = runs->front().record;
  EXPECT_EQ(run.command, "search");
  EXPECT_EQ(run.run_id, reply.run_id);
  EXPECT_EQ(run.status, RunStatus::kOk);
  EXPECT_THAT(run.request_json, HasSubstr("\"query\":\"invoice "));
  EXPECT_THAT(run.request_json, Not(HasSubstr("ghp_"))) << "no secret in the ledger";
  const auto rows = workspace_.ledger()->decisions_of(*reply.run);
  ASSERT_OK(rows);
  ASSERT_EQ(rows->size(), 4U) << "two results, and what two sources have more";
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(rows->at(i).included);
    EXPECT_EQ(rows->at(i).candidate_id, reply.hits[i].id);
    EXPECT_EQ(rows->at(i).score, reply.hits[i].score.total);
    EXPECT_THAT(rows->at(i).components_json, HasSubstr("words"));
  }
  EXPECT_FALSE(rows->at(2).included);
  EXPECT_THAT(rows->at(2).reason, HasSubstr("beyond the best 2"));
  const auto explained = workspace_.engine().explain("latest", reply.hits.front().id);
  ASSERT_OK(explained);
  EXPECT_THAT(explained->answers, ElementsAre(HasSubstr("kept at stage search: rank 1 at src/billing.py:1")));
  const auto never = workspace_.engine().explain("latest", "zeppelin");
  ASSERT_OK(never);
  EXPECT_THAT(never->answers, ElementsAre(HasSubstr("shares words with the query or is near it in meaning")));
  request.dry_run = true;
  EXPECT_FALSE(search(request).run);
  EXPECT_EQ(workspace_.ledger()->list_runs({})->size(), runs->size());
}

TEST_F(SearchTest, TheSameRequestGivesTheSameBytes) {
  const EmbeddingServer server;
  for (const char* format : {"text", "json"}) {
    SearchRequest request = with_model("invoice customer", server);
    request.format = format;
    request.explain = true;
    EXPECT_EQ(search(request).output, search(request).output);
  }
}

}  // namespace
}  // namespace knapsack

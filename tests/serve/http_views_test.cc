// The views over HTTP: what the inspector asks, through the door that it uses.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serve/support_http.h"
#include "serve/support_workspace.h"

namespace knapsack::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class Views : public ::testing::Test {
 protected:
  Views() {
    write_served_workspace(folder);
    folder.write("graphs/kg_nodes.jsonl",
                 R"({"id":"KG-CON-KEY","type":"constraint","title":"Every payment has a key","rev":1})"
                 "\n"
                 R"({"id":"KG-CON-KEY","type":"constraint","title":"Every payment has one key","rev":2})"
                 "\n");
    folder.write("graphs/tg_nodes.jsonl",
                 R"({"id":"TG-TASK-RETRY","type":"task","title":"Retry payments","status":"ready","rev":1,)"
                 R"("links":["KG-CON-KEY"]})"
                 "\n");
    folder.write("graphs/rg_nodes.jsonl", "");
    folder.write("graphs/post_response_commits.jsonl", "");
    server.emplace(folder.path());
  }

  json ask(const std::string& path, const json& body) {
    const auto answer = server->ask("POST", path, body.dump(), headers);
    EXPECT_EQ(answer.status, 200) << path << " " << answer.body;
    return answer.json();
  }
  void open_session() {
    const json session = ask("/v1/session", json::object());
    headers["Authorization"] = "Bearer " + session["token"].get<std::string>();
    headers["X-Knapsack-CSRF"] = session["csrf"].get<std::string>();
  }

  TemporaryFolder folder;
  std::optional<ServeProgram> server;
  std::map<std::string, std::string> headers;
};

TEST_F(Views, APreviewAccountsForEveryPartAndLeavesNoTrace) {
  const json wide = ask("/v1/preview/pack", {{"task", "retry payments"}, {"budget", 4000}});
  EXPECT_THAT(wide["text"].get<std::string>(), HasSubstr("payment.py"));
  EXPECT_LE(wide["used"].get<int>(), 4000);
  bool found = false;
  for (const json& part : wide["parts"]) {
    if (part["file"] != "shop/payment.py") continue;
    found = true;
    EXPECT_EQ(part["source"], "code");
    EXPECT_GT(part["last_line"].get<int>(), 0);
    EXPECT_FALSE(part["components"].empty());
  }
  EXPECT_TRUE(found);
  // A smaller budget leaves parts out, each with its price and the reason.
  const json narrow =
      ask("/v1/preview/pack", {{"task", "retry payments"}, {"budget", 120}, {"refresh", false}});
  size_t left_out = 0;
  for (const json& part : narrow["parts"]) {
    if (part["form"] != "") continue;
    ++left_out;
    EXPECT_NE(part["reason"], "") << part;
  }
  EXPECT_GT(left_out, 0U);
  const json notes = ask("/v1/preview/pack", {{"task", "retry payments"}, {"sources", {"notes"}}});
  for (const json& part : notes["parts"]) EXPECT_EQ(part["source"], "notes");
  ask("/v1/preview/search", {{"query", "price"}});
  ask("/v1/preview/recall", {{"prompt", "what is known about payments?"}});
  EXPECT_EQ(server->ask("GET", "/v1/runs").json()["runs"].size(), 0U);
}

TEST_F(Views, RunsAreFoundByCommandTimeAndPlace) {
  for (int i = 0; i < 3; ++i) ask("/v1/pack", {{"task", fmt::format("retry payments {}", i)}});
  ask("/v1/search", {{"query", "price"}});
  EXPECT_EQ(ask("/v1/runs", json::object())["runs"].size(), 4U);
  const json packs = ask("/v1/runs", {{"command", "pack"}, {"limit", 2}});
  ASSERT_EQ(packs["runs"].size(), 2U);
  EXPECT_EQ(packs["next"], packs["runs"][1]["number"]);
  EXPECT_EQ(packs["runs"][0]["asked"], "retry payments 2");
  const json rest = ask("/v1/runs", {{"command", "pack"}, {"below", packs["next"]}});
  ASSERT_EQ(rest["runs"].size(), 1U);
  EXPECT_EQ(rest["next"], 0);
  EXPECT_EQ(ask("/v1/runs", {{"until", "2020-01-01T00:00:00Z"}})["runs"].size(), 0U);
  EXPECT_EQ(server->ask("POST", "/v1/runs", R"({"since":"yesterday"})").status, 400);
  const json output = ask("/v1/runs/output", {{"run", rest["runs"][0]["run"]}});
  EXPECT_THAT(output["text"].get<std::string>(), HasSubstr("Never lose an order"));
}

TEST_F(Views, AChangeNeedsTheSessionsCsrfToken) {
  const std::string body = R"({"text":"Payments are retried three times"})";
  EXPECT_EQ(server->ask("POST", "/v1/remember", body).error(), "csrf");
  open_session();
  auto without = headers;
  without.erase("X-Knapsack-CSRF");
  EXPECT_EQ(server->ask("POST", "/v1/remember", body, without).status, 403);
  auto wrong = headers;
  wrong["X-Knapsack-CSRF"] = std::string(64, '0');
  for (const char* path : {"/v1/outcome", "/v1/remember", "/v1/forget", "/v1/feedback"})
    EXPECT_EQ(server->ask("POST", path, body, wrong).error(), "csrf") << path;
  EXPECT_EQ(ask("/v1/memories", json::object())["all"], 0);

  const std::string id = ask("/v1/remember", json::parse(body))["id"];
  EXPECT_EQ(ask("/v1/feedback", {{"id", id}, {"useful", false}})["not_useful"], 1);
  const json listed = ask("/v1/memories", json::object());
  ASSERT_EQ(listed["memories"].size(), 1U);
  EXPECT_EQ(listed["memories"][0]["id"], id);
  ask("/v1/forget", {{"id", id}});
  EXPECT_EQ(ask("/v1/memories", json::object())["memories"].size(), 0U);
  EXPECT_EQ(ask("/v1/memory", {{"id", id}})["memory"]["status"], "forgotten");
}

TEST_F(Views, AMemorySaysWhatItReplacedAndWhoWasToldOfIt) {
  open_session();
  const std::string old = ask("/v1/remember", {{"text", "Payments are retried three times"}})["id"];
  const std::string now =
      ask("/v1/remember", {{"text", "Payments are retried five times"}, {"supersedes", {old}}})["id"];
  ask("/v1/pack", {{"task", "how often are payments retried?"}});
  const json found = ask("/v1/memory", {{"id", now}});
  EXPECT_EQ(found["memory"]["text"], "Payments are retried five times");
  ASSERT_EQ(found["versions"].size(), 1U);
  EXPECT_EQ(found["versions"][0]["id"], old);
  ASSERT_EQ(found["runs"].size(), 1U);
  EXPECT_EQ(found["runs"][0]["command"], "pack");
  EXPECT_EQ(server->ask("POST", "/v1/memory", R"({"id":"no-such"})").status, 404);
}

TEST_F(Views, AFileComesWithItsOutlineItsNeighboursAndItsText) {
  const json overview = ask("/v1/code/overview", json::object());
  EXPECT_GE(overview["files"].get<int>(), 4);
  ASSERT_GT(overview["biggest"].size(), 2U);
  EXPECT_GT(overview["biggest"][0]["count"].get<int>(), overview["biggest"][2]["count"].get<int>());
  EXPECT_EQ(overview["languages"][0]["language"], "python");
  const json file = ask("/v1/code/file", {{"path", "shop/payment.py"}});
  EXPECT_EQ(file["symbols"][0]["name"], "Payment");
  EXPECT_EQ(file["symbols"][1]["depth"], 1);
  EXPECT_EQ(file["imports"][0]["path"], "shop/prices.py");
  EXPECT_EQ(file["importers"][0]["path"], "tests/test_payment.py");
  EXPECT_EQ(file["tests"][0]["path"], "tests/test_payment.py");
  EXPECT_THAT(file["text"].get<std::string>(), HasSubstr("class Payment:\n"));
  EXPECT_EQ(file["unreadable"], "");
  for (const char* path : {"../../etc/passwd", "/etc/passwd", "shop/nothing.py", ".knapsack/raw.db"})
    EXPECT_EQ(server->ask("POST", "/v1/code/file", json{{"path", path}}.dump()).status, 404) << path;
}

TEST_F(Views, ANodeComesWithItsRevisionsAndItsEdges) {
  const json map = ask("/v1/graph", json::object());
  EXPECT_EQ(map["all"], 2);
  ASSERT_EQ(map["nodes"].size(), 2U);
  ASSERT_EQ(map["edges"].size(), 1U);
  const json& edge = map["edges"][0];
  EXPECT_EQ(map["nodes"][edge["from"].get<size_t>()]["id"], "TG-TASK-RETRY");
  EXPECT_EQ(map["nodes"][edge["to"].get<size_t>()]["title"], "Every payment has one key");
  const json node = ask("/v1/graph/node", {{"id", "kg-con-key"}});
  EXPECT_EQ(node["id"], "KG-CON-KEY");
  ASSERT_EQ(node["revisions"].size(), 2U);
  EXPECT_EQ(node["revisions"][0]["latest"], true);
  EXPECT_THAT(node["revisions"][0]["json"].get<std::string>(), HasSubstr("has one key"));
  EXPECT_THAT(node["revisions"][1]["json"].get<std::string>(), HasSubstr("has a key"));
  EXPECT_EQ(server->ask("POST", "/v1/graph/node", R"({"id":"KG-NONE"})").status, 404);
}

TEST_F(Views, TheNotesSayWhatTheLastPacketsUsedOfThem) {
  EXPECT_EQ(server->ask("GET", "/v1/notes").json()["packets"], 0);
  ask("/v1/pack", {{"task", "retry payments"}});
  const json notes = server->ask("GET", "/v1/notes").json();
  EXPECT_EQ(notes["packets"], 1);
  bool found = false;
  for (const json& section : notes["sections"]) {
    for (const json& entry : section["entries"]) {
      if (entry["title"].get<std::string>().find("Retry payments") == std::string::npos) continue;
      found = true;
      EXPECT_EQ(entry["full"], 1);
      EXPECT_NE(entry["last"], "");
    }
  }
  EXPECT_TRUE(found) << notes.dump(1);
}

TEST_F(Views, TheWorkspaceSaysWhatItHas) {
  const json workspace = server->ask("GET", "/v1/workspace").json();
  EXPECT_EQ(workspace["workspace"], folder.path());
  EXPECT_THAT(workspace["graph"].get<std::string>(), HasSubstr("1 knowledge node,"));
  EXPECT_NE(workspace["budget"], "");
  EXPECT_EQ(server->ask("GET", "/v1/evaluations").json()["reports"], json::array());
}

TEST(PageOfServe, IsShownToEverybodyButItsSessionNeedsTheToken) {
  TemporaryFolder folder;
  write_served_workspace(folder);
  const std::string token = "correct-horse-battery-staple";
  const ServeProgram server(folder.path(), {}, {{"KNAPSACK_TOKEN", token}});
  for (const char* path : {"/", "/app.js", "/app.css", "/icon.svg"}) {
    const auto answer = server.ask("GET", path);
    EXPECT_EQ(answer.status, 200) << path;
    EXPECT_EQ(answer.headers.at("cache-control"), "no-cache");
    EXPECT_THAT(answer.headers.at("content-security-policy"), HasSubstr("frame-ancestors 'none'"));
  }
  EXPECT_EQ(server.ask("GET", "/", "", {{"Host", "evil.example"}}).status, 421);
  EXPECT_EQ(server.ask("GET", "/", "", {{"Sec-Fetch-Site", "cross-site"}}).status, 403);
  EXPECT_EQ(server.ask("GET", "/app.map").status, 401);
  EXPECT_EQ(server.ask("POST", "/v1/session", "{}").status, 401);
  EXPECT_EQ(server.ask("GET", "/v1/workspace").status, 401);
  const auto opened = server.ask("POST", "/v1/session", "{}", {{"Authorization", "Bearer " + token}});
  ASSERT_EQ(opened.status, 200);
  const std::map<std::string, std::string> session = {
      {"Authorization", "Bearer " + opened.json()["token"].get<std::string>()}};
  EXPECT_EQ(server.ask("GET", "/v1/workspace", "", session).status, 200);
  EXPECT_EQ(server.ask("POST", "/v1/remember", R"({"text":"Something"})", session).error(), "csrf");
  // A program that has the token needs nothing else.
  EXPECT_EQ(
      server.ask("POST", "/v1/remember", R"({"text":"Something"})", {{"Authorization", "Bearer " + token}})
          .status,
      200);
}

}  // namespace
}  // namespace knapsack::testing

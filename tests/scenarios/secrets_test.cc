// Secrets on every way out: planted in files, commits, notes, memories and the graph, and looked for in
// whatever the program prints, sends and keeps.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <tuple>

#include "scenarios/support_secrets.h"
#include "serve/support_http.h"
#include "support/embedding_server.h"
#include "support/model_server.h"

namespace knapsack {
namespace {

using namespace knapsack::testing;
using nlohmann::json;
using ::testing::HasSubstr;

class SecretsEverywhere : public PlantedSecrets {};

TEST_F(SecretsEverywhere, NoneIsPrintedOrKept) {
  const auto indexed = run({"index"});
  ASSERT_EQ(indexed.exit_code, 0) << indexed.err;
  EXPECT_THAT(indexed.out, HasSubstr("sensitive 1"));
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"history", "pay.py"},
           {"overview"},
           {"symbols", "charge"},
           {"outline", "pay.py"},
           {"refs", "charge"},
           {"deps", "pay.py"},
           {"search", "deployment"},
           {"search", "deployment value", "--format", "json", "--limit", "50"},
           {"search", "charge amount key"},
           {"pack", "change the deployment password of charge in pay.py and deploy/settings.yaml", "--budget",
            "100000"},
           {"pack", "deployment", "--budget", "2000", "--format", "json"},
           {"retrieve", "change deploy/settings.yaml and pay.py", "--no-llm", "--stages", "scope,precision",
            "--context-window", "100000", "--reserved-tokens", "0"},
           {"agent", "--task", "deployment"},
           {"agent", "--format", "json"},
           {"recall", "what is the deployment password?"},
           {"recall", "what is the deployment password?", "--format", "json"},
           {"memories", "list"},
           {"memories", "show", "db"},
           {"graph", "pack", "--request-text", "deployment KG-FACT-1"},
           {"graph", "show", "KG-FACT-1"},
           {"runs"},
           {"explain", "latest"},
           {"status"},
           {"doctor"}}) {
    const auto result = run(arguments);
    EXPECT_LE(result.exit_code, 1) << arguments.front() << ": " << result.err;
  }
  EXPECT_GT(expect_clean_state(), 3U);
  EXPECT_GT(expect_clean_ledger(), 5U);
}

TEST_F(SecretsEverywhere, NoneIsRememberedAskedForOrInjected) {
  ASSERT_EQ(run({"index"}).exit_code, 0);
  const std::string told = plant("sk_live_{A24}");
  ASSERT_EQ(run_program({"remember", "The deployment uses " + told, "--memory-dir", ".knapsack/memory"},
                        repository_.path())
                .exit_code,
            0);
  for (const char* command : {"search", "recall", "pack"})
    run({command, "why does the deployment fail with " + told + "?"});
  run({"hook", "claude-code"}, json{{"hook_event_name", "UserPromptSubmit"},
                                    {"session_id", "s"},
                                    {"cwd", repository_.path()},
                                    {"prompt", "fix the deployment in pay.py, key " + told}}
                                   .dump());
  std::string calls;
  int id = 0;
  const auto call = [&](const json& method) { calls += method.dump() + "\n"; };
  call({{"jsonrpc", "2.0"},
        {"id", ++id},
        {"method", "initialize"},
        {"params",
         {{"protocolVersion", "2025-06-18"},
          {"capabilities", json::object()},
          {"clientInfo", {{"name", "t"}, {"version", "1"}}}}}});
  call({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}});
  const std::tuple<const char*, const char*, std::string> tools[] = {
      {"search", "query", "deployment " + told},
      {"pack", "task", "deployment in pay.py " + told},
      {"retrieve_code", "task", "change pay.py"},
      {"recall", "prompt", "what is the deployment password?"},
      {"project_notes", "task", "deployment"},
      {"graph_pack", "request", "deployment KG-FACT-1"},
      {"read", "what", "charge"},
      {"read", "what", "pay.py"}};
  for (const auto& [tool, argument, value] : tools) {
    const json arguments = {{argument, value}};
    call({{"jsonrpc", "2.0"},
          {"id", ++id},
          {"method", "tools/call"},
          {"params", {{"name", tool}, {"arguments", arguments}}}});
  }
  const auto replies = run({"mcp"}, calls);
  EXPECT_THAT(replies.out, HasSubstr("deployment"));
  expect_clean_state();
}

TEST_F(SecretsEverywhere, NoneIsSentToAModel) {
  ASSERT_EQ(run({"index"}).exit_code, 0);
  EmbeddingServer embeddings;
  const auto found =
      run({"search", "deployment", "--embed-model", "e", "--embed-url", embeddings.base_url()});
  EXPECT_EQ(found.exit_code, 0) << found.err;
  EXPECT_GT(embeddings.texts().size(), 3U);
  for (const std::string& text : embeddings.texts()) expect_clean(text, "a text to embed");
  expect_clean_state();
}

TEST_F(SecretsEverywhere, ASensitiveFileIsReadOnlyWhenItIsAllowed) {
  ASSERT_EQ(run({"index"}).exit_code, 0);
  EXPECT_THAT(run({"outline", ".env"}).out, HasSubstr("listed only: sensitive"));
  EXPECT_THAT(run({"outline", ".env.example"}).out, ::testing::Not(HasSubstr("listed only")));
  const std::map<std::string, std::string> allows = {{"KNAPSACK_INDEX_ALLOW_SENSITIVE", ".env"}};
  ASSERT_EQ(run_program({"index"}, repository_.path(), allows).exit_code, 0);
  EXPECT_THAT(run_program({"outline", ".env"}, repository_.path(), allows).out,
              ::testing::Not(HasSubstr("sensitive")));
  ASSERT_EQ(run({"index"}).exit_code, 0);
  EXPECT_THAT(run({"outline", ".env"}).out, HasSubstr("listed only: sensitive"));
}

// The judge is asked about files that hold secrets, by tasks that do; refine keeps what it is told.
TEST_F(SecretsEverywhere, NoneIsSentToTheJudgeOrKeptByARefinement) {
  ASSERT_EQ(run({"index"}).exit_code, 0);
  const std::string told = plant("sk_live_{A24}"), missing = plant("glpat-{W20}");
  ModelServer judge([](const ReceivedChat&) { return std::string("{}"); });
  run({"retrieve", "change deploy/settings.yaml and charge in pay.py, key " + told, "--model", "m",
       "--base-url", judge.base_url(), "--stages", "scope,precision", "--context-window", "20000",
       "--reserved-tokens", "0", "--task-id", "t"});
  run({"pack", "the deployment password of charge, key " + told, "--judge", "--model", "m", "--base-url",
       judge.base_url()});
  const json request = {{"reason", "needs " + missing},
                        {"missing_files", {"pay.py", missing}},
                        {"missing_symbols", {"charge"}},
                        {"missing_tests", {"test_charge"}},
                        {"error_signatures", {"DeploymentError: " + missing}}};
  const auto refined = run({"refine", "--task-id", "t", "--request", "-"}, request.dump());
  EXPECT_THAT(refined.out, HasSubstr("charge")) << refined.err;
  EXPECT_GT(judge.requests(), 0);
  for (const ReceivedChat& chat : judge.received()) expect_clean(chat.body.dump(), "a question to the judge");
  expect_clean_state();
  EXPECT_GT(expect_clean_ledger(), 2U);
}

TEST_F(SecretsEverywhere, NoneIsSentByEnrichOrKeptWithItsAnswers) {
  ASSERT_EQ(run({"index"}).exit_code, 0);
  const std::string repeated = plant("ghp_{A36}");
  ModelServer model([&](const ReceivedChat&) {
    return json{{"purpose", "Charges with " + repeated},
                {"module", "pay"},
                {"domain", "deployment"},
                {"concepts", {"deployment"}},
                {"public_api", {"charge"}},
                {"complexity_notes", ""}}
        .dump();
  });
  const auto enriched = run({"enrich", "--model", "m", "--base-url", model.base_url(), "--promote"});
  EXPECT_EQ(enriched.exit_code, 0) << enriched.err;
  EXPECT_GE(model.requests(), 2);
  for (const ReceivedChat& chat : model.received()) expect_clean(chat.body.dump(), "a question of enrich");
  run({"pack", "deployment of pay.py", "--budget", "20000"});
  run({"outline", "pay.py"});
  expect_clean_state();
  expect_clean_ledger();
}

TEST_F(SecretsEverywhere, NoneLeavesThroughHttp) {
  ASSERT_EQ(run({"index"}).exit_code, 0);
  const std::string told = plant("sk_live_{A24}");
  ServeProgram server(repository_.path());
  const auto ask = [&](const std::string& method, const std::string& path, const std::string& body = "") {
    const HttpAnswer answer = server.ask(method, path, body);
    expect_clean(answer.raw, method + " " + path);
    return answer;
  };
  EXPECT_EQ(ask("POST", "/v1/pack", json{{"task", "deployment of charge in pay.py " + told}}.dump()).status,
            200);
  EXPECT_EQ(ask("POST", "/v1/search", json{{"query", "deployment " + told}}.dump()).status, 200);
  EXPECT_EQ(ask("POST", "/v1/recall", json{{"prompt", "the deployment password?"}}.dump()).status, 200);
  EXPECT_EQ(
      ask("POST", "/v1/retrieve", json{{"task", "change pay.py and deploy/settings.yaml"}}.dump()).status,
      200);
  // What is wrong is told without repeating it.
  ask("POST", "/v1/search", json{{"query", "x"}, {told, told}}.dump());
  ask("GET", "/v1/" + told);
  ask("GET", "/v1/runs/" + told);
  const HttpAnswer runs = ask("GET", "/v1/runs");
  EXPECT_EQ(runs.status, 200);
  EXPECT_EQ(ask("GET", "/v1/runs/latest").status, 200);
  EXPECT_EQ(ask("GET", "/metrics").status, 200);
  expect_clean(server.said(), "what the server reports");
  expect_clean_state();
  EXPECT_GT(expect_clean_ledger(), 2U);
}

// A graph so large that it is indexed into a file, with secrets in ids and references.
TEST_F(SecretsEverywhere, NoneIsKeptInTheIndexOfAGraph) {
  const std::string id = plant("glpat-{W20}"), target = plant("npm_{A36}");
  const auto node = [](const std::string& name, const json& more) {
    json value = {{"id", name},
                  {"type", "fact"},
                  {"title", "Deployment fact"},
                  {"rev", 1},
                  {"summary", std::string(700, 'x')},
                  {"created_at", "2026-11-01T10:00:00Z"},
                  {"updated_at", "2026-11-01T10:00:00Z"}};
    value.update(more);
    return value.dump() + "\n";
  };
  std::string lines = node("KG-FACT-" + id, json::object());
  for (int i = 0; i < 2000; ++i)
    lines += node("KG-FACT-" + std::to_string(i), {{"links", {"KG-FACT-" + target}}});
  repository_.write("graphs/kg_nodes.jsonl", lines);
  const auto packed = run({"graph", "pack", "--request-text", "deployment KG-FACT-1"});
  EXPECT_EQ(packed.exit_code, 0) << packed.err;
  run({"graph", "validate"});
  bool indexed = false;
  for (const auto& entry : std::filesystem::directory_iterator(repository_.file(".knapsack")))
    indexed = indexed || entry.path().extension() == ".index";
  EXPECT_TRUE(indexed) << "the graph must be large enough";
  expect_clean_state();
  const auto put = run({"graph", "put", "-"}, node("KG-FACT-" + id, json::object()));
  EXPECT_NE(put.exit_code, 0);
  EXPECT_THAT(put.err, HasSubstr("an id that contains a secret"));
}

}  // namespace
}  // namespace knapsack

// Secrets on every way out: planted in files, commits, notes, memories and the graph, and looked for in
// whatever the program prints, sends and keeps.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>

#include "support/embedding_server.h"
#include "support/repository_git.h"
#include "support/secret_corpus.h"

namespace knapsack {
namespace {

using namespace knapsack::testing;
using ::testing::HasSubstr;

std::string folded(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

class SecretsEverywhere : public ::testing::Test {
 protected:
  SecretsEverywhere() {
    const std::string block = maker_.block("RSA PRIVATE KEY", 49);
    for (size_t at = 0; at < block.size();) {
      const size_t end = block.find('\n', at);
      if (block[at] != '-') planted_.push_back(block.substr(at, end - at));
      at = end + 1;
    }
    std::string yaml;
    for (int i = 1; i <= 40; ++i) yaml += "option" + std::to_string(i) + ": value of the deployment\n";
    yaml += "signing:\n  key: |\n";
    std::istringstream lines(block);
    for (std::string line; std::getline(lines, line);) yaml += "    " + line + "\n";
    for (int i = 1; i <= 40; ++i) yaml += "later" + std::to_string(i) + ": value of the deployment\n";
    repository_.write("deploy/settings.yaml", yaml);

    repository_.write("pay.py",
                      "\"\"\"Payment deployment.\"\"\"\n\n"
                      "# deployment token " +
                          plant("glpat-{W20}") +
                          "\n"
                          "def charge(amount, key=\"" +
                          plant("sk_live_{A24}") +
                          "\"):\n"
                          "    \"\"\"Charge with " +
                          plant("ghp_{A36}") +
                          " in deployment.\"\"\"\n"
                          "    password = \"" +
                          plant("{A9}7x{A9}") +
                          "\"\n"
                          "    return amount\n");
    repository_.write("test_pay.py", "from pay import charge\n\ndef test_charge():\n    assert charge(1, \"" +
                                         plant("xoxb-{D12}-{D12}-{A24}") + "\")\n");
    repository_.write(".env", "DEPLOYMENT=" + plant("{A24}") + "\n");
    repository_.write(".env.example", "DEPLOYMENT=fill-this-in\n");
    repository_.git({"add", "-A", "-f"});
    repository_.git(
        {"-c", "user.name=Bob " + plant("npm_{A36}"), "commit", "-q", "-m",
         "Deployment with " + plant("AKIA{U16}") + "\n\nand " + plant("shpat_{H32}") + " in its body"});
    repository_.write(".context/CONSTITUTION.md",
                      "# Constitution\n\n- Keep " + plant("hf_{Z34}") + " in the deployment\n");
    repository_.write(".context/TASKS.md",
                      "# Tasks\n\n- [ ] Deployment rotates " + plant("pul-{H40}") + "\n");
    repository_.write(
        ".context/DECISIONS.md",
        "# Decisions\n\n## [2026-11-01] Deployment password\n\npassword: " + plant("{A7}9k{A7}") + "\n");
    repository_.write("m/facts/2026-11-01/db.md",
                      "---\nid: db\ncreated: 2026-11-01T10:00:00Z\n---\nThe deployment password: " +
                          plant("{A8}5q{A8}") + "\n");
    repository_.write("knapsack.toml", "[memory]\ndir = \"m\"\n");
    const std::string first = plant("{A8}3w{A8}"), second = plant("dop_v1_{H64}");
    EXPECT_EQ(run({"graph", "init"}).exit_code, 0);
    repository_.write(
        "graphs/kg_nodes.jsonl",
        R"({"id": "KG-FACT-1", "type": "fact", "title": "Deployment )" + second +
            R"(", "summary": "deployment", "attributes": {"password": ")" + first + R"("}, "rev": 1,)" +
            R"( "created_at": "2026-11-01T10:00:00Z", "updated_at": "2026-11-01T10:00:00Z"})" + "\n");
  }

  std::string plant(const std::string& pattern) {
    planted_.push_back(maker_.make(pattern));
    return planted_.back();
  }

  ProgramResult run(const std::vector<std::string>& arguments, const std::string& input = "") {
    ProgramResult result = run_program(arguments, repository_.path(), {{"HOME", repository_.path()}}, input);
    const std::string shown = arguments.front() + (arguments.size() > 1 ? " " + arguments[1] : "");
    expect_clean(result.out, "what `" + shown + "` prints");
    expect_clean(result.err, "what `" + shown + "` reports");
    return result;
  }

  void expect_clean(const std::string& text, const std::string& where) const {
    const std::string low = folded(text);
    for (const std::string& secret : planted_) {
      // Its beginning names the service; what follows must be nowhere, not even in part.
      for (const std::string& part : {secret, secret.substr(secret.size() / 2)}) {
        EXPECT_EQ(low.find(folded(part)), std::string::npos) << secret << " is in " << where;
      }
    }
  }

  // Every byte of every file, the terms of the search segments among them.
  size_t expect_clean_state() const {
    size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(repository_.file(".knapsack"))) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      std::stringstream bytes;
      bytes << file.rdbuf();
      expect_clean(bytes.str(), entry.path().filename().string());
      ++files;
    }
    return files;
  }

  SecretMaker maker_{4711};
  std::vector<std::string> planted_;
  TestRepository repository_;
};

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
  run({"hook", "claude-code"}, nlohmann::json{{"hook_event_name", "UserPromptSubmit"},
                                              {"session_id", "s"},
                                              {"cwd", repository_.path()},
                                              {"prompt", "fix the deployment in pay.py, key " + told}}
                                   .dump());
  std::string calls;
  int id = 0;
  const auto call = [&](const nlohmann::json& method) { calls += method.dump() + "\n"; };
  call({{"jsonrpc", "2.0"},
        {"id", ++id},
        {"method", "initialize"},
        {"params",
         {{"protocolVersion", "2025-06-18"},
          {"capabilities", nlohmann::json::object()},
          {"clientInfo", {{"name", "t"}, {"version", "1"}}}}}});
  call({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}});
  const std::tuple<const char*, const char*, std::string> tools[] = {
      {"search", "query", "deployment " + told},
      {"pack_context", "task", "deployment in pay.py " + told},
      {"retrieve_code", "task", "change pay.py"},
      {"recall_memory", "prompt", "what is the deployment password?"},
      {"project_notes", "task", "deployment"},
      {"graph_pack", "request", "deployment KG-FACT-1"},
      {"get_symbol", "name", "charge"},
      {"get_file_outline", "path", "pay.py"}};
  for (const auto& [tool, argument, value] : tools) {
    const nlohmann::json arguments = {{argument, value}};
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

}  // namespace
}  // namespace knapsack

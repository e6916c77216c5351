// Models that the user names once, in the environment or in the user's own file, are asked by everything that recalls,
// searches or packs; a workspace's own file names none.
#include <nlohmann/json.hpp>

#include "support/embedding_server.h"
#include "support/model_server.h"
#include "support/support.h"

namespace knapsack {
namespace {

using namespace knapsack::testing;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

class ModelSettings : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write(".git/HEAD", "ref: refs/heads/main\n");
    memory("garage", "The automobile stands behind the house.");
    memory("port", "The database listens on port 5432.");
    for (int i = 0; i < 4; ++i)
      memory("other" + std::to_string(i), "Unrelated remark number " + std::to_string(i) + " about cheese.");
  }
  void memory(const std::string& id, const std::string& text) {
    folder_.write("memory/facts/2026-11-01/" + id + ".md",
                  "---\nid: " + id + "\ncreated: 2026-11-01T10:00:00Z\n---\n" + text + "\n");
  }
  ProgramResult run(std::vector<std::string> arguments, std::map<std::string, std::string> environment,
                    const std::string& input = "") const {
    arguments.emplace_back("--no-meaning");
    environment["HOME"] = home_.path();
    return run_program(arguments, folder_.path(), environment, input);
  }
  // One call of a tool over stdio.
  std::string mcp(const std::string& tool, const json& arguments,
                  const std::map<std::string, std::string>& environment) const {
    const json call = {{"jsonrpc", "2.0"},
                       {"id", 1},
                       {"method", "tools/call"},
                       {"params",
                        {{"name", tool},
                         {"arguments", arguments},
                         {"_meta",
                          {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                           {"io.modelcontextprotocol/clientInfo", {{"name", "t"}, {"version", "1"}}},
                           {"io.modelcontextprotocol/clientCapabilities", json::object()}}}}}};
    return run({"mcp"}, environment, call.dump() + "\n").out;
  }

  TemporaryFolder folder_, home_;
};

TEST_F(ModelSettings, AnEmbeddingModelOfTheEnvironmentIsAskedByRecallSearchPackHookAndMcp) {
  EmbeddingServer server(512);
  const std::map<std::string, std::string> named = {{"KNAPSACK_EMBED_MODEL", "m"},
                                                    {"KNAPSACK_EMBED_URL", server.base_url()}};
  EXPECT_THAT(run({"recall", "any vehicle?"}, {}).out, Not(HasSubstr("automobile")));
  EXPECT_EQ(server.requests(), 0);
  EXPECT_THAT(run({"recall", "any vehicle?"}, named).out, HasSubstr("automobile"));
  EXPECT_THAT(run({"search", "any vehicle?", "--source", "memory"}, named).out, HasSubstr("automobile"));
  EXPECT_THAT(run({"pack", "any vehicle?", "--sources", "memory"}, named).out, HasSubstr("automobile"));
  const json prompt = {{"hook_event_name", "UserPromptSubmit"},
                       {"session_id", "s"},
                       {"cwd", folder_.path()},
                       {"prompt", "any vehicle?"}};
  EXPECT_THAT(run({"hook", "claude-code"}, named, prompt.dump()).out, HasSubstr("automobile"));
  EXPECT_THAT(mcp("recall", {{"prompt", "any vehicle?"}}, named), HasSubstr("automobile"));
  EXPECT_THAT(mcp("search", {{"query", "any vehicle?"}}, named), HasSubstr("automobile"));
}

TEST_F(ModelSettings, TheUsersOwnFileNamesThemToo) {
  EmbeddingServer server(512);
  home_.write(".config/knapsack/knapsack.toml",
              "[search]\nembed_model = \"m\"\nembed_url = \"" + server.base_url() + "\"\n");
  EXPECT_THAT(run({"recall", "any vehicle?"}, {}).out, HasSubstr("automobile"));
  EXPECT_GT(server.requests(), 0);
  EXPECT_THAT(run({"config"}, {}).out, HasSubstr("search.embed_model"));
}

TEST_F(ModelSettings, AWorkspaceNamesNone) {
  EmbeddingServer server(512);
  ModelServer chat([](const ReceivedChat&) { return std::string("{}"); });
  folder_.write("knapsack.toml", "[search]\nembed_model = \"m\"\nembed_url = \"" + server.base_url() +
                                     "\"\n[model]\nname = \"x\"\nbase_url = \"" + chat.base_url() +
                                     "\"\n[recall]\nrerank = true\n");
  const auto recalled = run({"recall", "which port does the database use?"}, {});
  EXPECT_EQ(recalled.exit_code, 0);
  EXPECT_THAT(recalled.out, HasSubstr("5432"));
  EXPECT_THAT(recalled.out + recalled.err, HasSubstr("would send texts to a model that you did not choose"));
  EXPECT_EQ(server.requests(), 0);
  EXPECT_THAT(recalled.err, HasSubstr("no model is named"));
}

TEST_F(ModelSettings, ARerankModelOfTheEnvironmentIsAskedByRecallPackAndMcp) {
  int asked = 0;
  ModelServer server([&](const ReceivedChat&) {
    ++asked;
    return std::string(R"({"scores":[{"id":1,"score":10},{"id":2,"score":90}]})");
  });
  const std::map<std::string, std::string> named = {{"KNAPSACK_MODEL", "judge"},
                                                    {"KNAPSACK_BASE_URL", server.base_url()},
                                                    {"KNAPSACK_RECALL_RERANK", "true"}};
  EXPECT_EQ(run({"recall", "which remark is about cheese and the house?"}, named).exit_code, 0);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(run({"pack", "remark about cheese", "--sources", "memory"}, named).exit_code, 0);
  EXPECT_EQ(asked, 2);
  mcp("recall", {{"prompt", "what is the remark about the cheese of the house?"}}, named);
  EXPECT_GE(asked, 3);
}

}  // namespace
}  // namespace knapsack

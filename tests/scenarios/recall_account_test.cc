// Recall as a program: what is kept word for word, and how the answer accounts for itself.
#include <nlohmann/json.hpp>

#include "support/model_server.h"
#include "support/support.h"

namespace knapsack {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::Misbehaviour;
using testing::ModelServer;
using ::testing::Not;
using testing::ReceivedChat;

class RecallAccount : public ::testing::Test {
 protected:
  void SetUp() override { folder_.write(".git/HEAD", "ref: refs/heads/main\n"); }
  testing::ProgramResult run(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(),
                     {"--memory-dir", "memory", "--no-meaning", "--now", "2026-11-15T08:00:00Z"});
    return testing::run_program(arguments, folder_.path());
  }
  json remember(const std::string& text, const std::string& category) {
    const auto result =
        run({"remember", text, "--category", category, "--confidence", "0.9", "--format", "json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out);
  }
  json recall(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "recall");
    arguments.insert(arguments.end(), {"--format", "json"});
    return json::parse(run(arguments).out);
  }

  testing::TemporaryFolder folder_;
};

TEST_F(RecallAccount, FourKindsOfMemoryAreKeptWordForWordAsTheyAreWritten) {
  for (const char* category : {"decision", "correction", "principle", "commitment"}) {
    const json kept = remember(std::string("A weighty text of the kind ") + category, category);
    ASSERT_TRUE(kept.contains("artifact")) << category;
    const json shown =
        json::parse(run({"memories", "show", kept["artifact"].get<std::string>(), "--format", "json"}).out);
    EXPECT_EQ(shown["kind"], "artifact") << category;
    EXPECT_THAT(shown.dump(), HasSubstr(std::string("A weighty text of the kind ") + category));
  }
  for (const char* category : {"fact", "preference", "entity", "skill"})
    EXPECT_FALSE(remember(std::string("A light text of the kind ") + category, category).contains("artifact"))
        << category;
}

TEST_F(RecallAccount, TheRuleAndTheWordsThatDecidedAreInTheAnswer) {
  remember("We deploy on Tuesdays", "decision");
  EXPECT_EQ(recall({"thanks"})["plan"],
            (json{{"mode", "no_recall"}, {"rule", "acknowledgement"}, {"words", "thanks"}}));
  EXPECT_EQ(recall({"when do we deploy?"})["plan"]["mode"], "full");
  EXPECT_EQ(recall({"what happened to the deploy on Tuesdays?"})["plan"]["mode"], "graph_mode");
}

TEST_F(RecallAccount, ARerankThatFailsLeavesTheOrderAndIsDegraded) {
  remember("We deploy on Tuesdays in the morning", "fact");
  remember("We deploy with a script on Tuesdays", "fact");
  ModelServer server([](const ReceivedChat&) { return std::string(R"({"scores": []})"); });
  server.misbehave(Misbehaviour::kStatus500);
  const json without = recall({"when do we deploy?", "--dry-run"});
  const json failed = recall(
      {"when do we deploy?", "--dry-run", "--rerank", "--model", "m", "--base-url", server.openai_url()});
  EXPECT_EQ(without["status"], "ok");
  EXPECT_EQ(failed["status"], "degraded");
  EXPECT_EQ(failed["sections"], without["sections"]);
  EXPECT_THAT(failed["warnings"].dump(), HasSubstr("the model did not put the memories in order: "));
  EXPECT_EQ(server.requests(), 1);
}

}  // namespace
}  // namespace knapsack

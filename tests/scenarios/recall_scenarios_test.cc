// `knapsack recall` and `knapsack eval --memory` as people run them.
#include <chrono>
#include <nlohmann/json.hpp>

#include "support/embedding_server.h"
#include "support/support.h"

namespace knapsack {
namespace {

using namespace knapsack::testing;
using ::testing::HasSubstr;
using ::testing::Not;

class RecallScenario : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write(".git/HEAD", "ref: refs/heads/main\n");
    memory("2026-11-01", "db", "category: decision\n",
           "We decided on PostgreSQL because of its JSON support.");
    memory("2026-11-02", "port", "", "The database listens on port 5432.");
    memory("2026-11-03", "old", "status: superseded\n", "The database is MySQL.");
    folder_.write("m/profile.md", "# Profile\n\n- Prefers short answers\n");
  }
  void memory(const std::string& day, const std::string& id, const std::string& keys,
              const std::string& text) {
    folder_.write("m/facts/" + day + "/" + id + ".md",
                  "---\nid: " + id + "\ncreated: " + day + "T10:00:00Z\n" + keys + "---\n" + text + "\n");
  }
  ProgramResult recall(std::vector<std::string> arguments, const std::string& input = "") const {
    std::vector<std::string> all = {"recall", "--memory-dir", "m", "--now", "2026-11-15T12:00:00Z"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run_program(all, folder_.path(), {}, input);
  }

  TemporaryFolder folder_;
};

TEST_F(RecallScenario, AQuestionIsAnsweredFromProfileAndMemories) {
  const auto result = recall({"which database did we decide on?"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, HasSubstr("Prefers short answers"));
  EXPECT_THAT(result.out, HasSubstr("[db] (decision, 2026-11-01) We decided on PostgreSQL"));
  EXPECT_THAT(result.out, Not(HasSubstr("MySQL")));
}

TEST_F(RecallScenario, ThePromptMayComeFromStandardInput) {
  EXPECT_THAT(recall({"-"}, "which port?").out, HasSubstr("5432"));
}

TEST_F(RecallScenario, ThanksRecallsNothing) {
  const auto result = recall({"Thanks!"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "");
}

TEST_F(RecallScenario, TheRunCanBeExplained) {
  ASSERT_EQ(recall({"which database?"}).exit_code, 0);
  const auto shown = run_program({"explain", "latest", "--expect", "db"}, folder_.path());
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  const auto left = run_program({"explain", "latest", "--expect", "old"}, folder_.path());
  EXPECT_THAT(left.out, HasSubstr("its status is not active"));
}

TEST_F(RecallScenario, AMemoryThatAnEditorChangedIsFoundAtOnce) {
  ASSERT_EQ(recall({"which database?"}).exit_code, 0);
  memory("2026-11-02", "port", "", "The database moved to port 6000 with zeppelins.");
  EXPECT_THAT(recall({"zeppelins?"}).out, HasSubstr("port 6000"));
}

TEST_F(RecallScenario, AnAccountOfNothingSaysWhyNothingIsThere) {
  EXPECT_THAT(recall({"quantum chromodynamics?", "--explain"}).out,
              HasSubstr("No memory shares a word with the prompt or is clearly near it in meaning."));
  EXPECT_THAT(recall({"thanks", "--explain"}).out, Not(HasSubstr("No memory shares"))) << "nobody looked";
}

TEST_F(RecallScenario, RerankWithoutAModelIsDegradedNotFailed) {
  const auto result = recall({"which database?", "--rerank"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("5432"));
  EXPECT_THAT(result.err, HasSubstr("no model is named"));
  EXPECT_EQ(recall({"which database?", "--rerank", "--strict"}).exit_code, 1);
}

TEST_F(RecallScenario, MeaningFindsWhatSharesNoWordAndASlowServerDoesNotHoldTheAnswer) {
  memory("2026-11-04", "garage", "", "The automobile stands behind the house.");
  EmbeddingServer server(512);
  const std::vector<std::string> asked = {"any vehicle?", "--explain",      "--embed-model", "m",
                                          "--embed-url",  server.base_url()};
  const auto found = recall(asked);
  ASSERT_EQ(found.exit_code, 0) << found.err;
  EXPECT_THAT(found.out, HasSubstr("[garage]"));
  EXPECT_THAT(found.out, HasSubstr("by meaning in the default namespace"));
  server.misbehave(EmbeddingFault::kSlow);
  const auto begin = std::chrono::steady_clock::now();
  const auto late = recall({"which database?", "--embed-model", "m", "--embed-url", server.base_url()});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  EXPECT_EQ(late.exit_code, 0);
  EXPECT_THAT(late.out, HasSubstr("[port]"));
  EXPECT_THAT(late.err, HasSubstr("recalled by words only"));
}

TEST_F(RecallScenario, BadUsageIsOneLineAndExitCodeTwo) {
  const std::vector<std::vector<std::string>> bad = {{"x", "--mode", "some"},
                                                     {"x", "--as-of", "yesterday"},
                                                     {"x", "--max-tokens", "many"},
                                                     {"x", "--format", "html"},
                                                     {"x", "--max-results", "-1"},
                                                     {"x", "--namespace", "../up"},
                                                     {}};
  for (const auto& arguments : bad) {
    const auto result = recall(arguments);
    EXPECT_EQ(result.exit_code, 2) << ::testing::PrintToString(arguments) << result.out;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

constexpr const char* kConversations = R"([{"sample_id": "talk", "conversation": {
  "session_1_date_time": "1:56 pm on 8 May, 2023",
  "session_1": [{"speaker": "Anna", "dia_id": "D1:1", "text": "Where did you camp?"},
                {"speaker": "Boris", "dia_id": "D1:2", "text": "By the lake, of course.", "blip_caption": "a tent"}],
  "session_2_date_time": "9 June, 2023",
  "session_2": [{"speaker": "Anna", "dia_id": "D2:1", "text": "I bought a violin"}]},
  "qa": [{"question": "Where did Boris camp?", "evidence": ["D1:2"], "category": 4},
         {"question": "What did Anna buy?", "evidence": ["D:2:01; D9:9"], "category": 1},
         {"question": "Nothing known", "evidence": [], "category": 5}]}])";

TEST_F(RecallScenario, EvalMeasuresConversations) {
  folder_.write("talk.json", kConversations);
  const auto result = run_program({"eval", "--memory", "talk.json", "--method", "full,lexical", "--k", "1",
                                   "--budgets", "64", "--format", "json"},
                                  folder_.path());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["tasks"], 3);
  EXPECT_EQ(report["set_aside"], 1);
  EXPECT_EQ(report["methods"]["full"]["overall"]["recall@1"]["value"], 1.0) << "the answer, not the question";
  EXPECT_EQ(report["methods"]["lexical"]["overall"]["recall@1"]["value"], 0.0);
  EXPECT_EQ(report["methods"]["full"]["overall"]["recall@64 tokens"]["value"], 1.0);
  EXPECT_TRUE(report["methods"]["full"]["by category"].contains("multi-hop"));
  const auto printed = run_program({"eval", "--memory", "talk.json", "--no-meaning"}, folder_.path());
  EXPECT_THAT(printed.out, Not(HasSubstr("Changed lines"))) << "conversations have none";
}

TEST_F(RecallScenario, EvalTakesConstantsByTheNamesThatConfigLists) {
  folder_.write("talk.json", kConversations);
  const auto recall = [&](const std::vector<std::string>& constants) {
    std::vector<std::string> arguments = {"eval", "--memory", "talk.json", "--no-meaning",
                                          "--k",  "1",        "--format",  "json"};
    for (const std::string& each : constants) arguments.insert(arguments.end(), {"--set", each});
    const auto result = run_program(arguments, folder_.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out)["methods"]["full"]["overall"]["recall@1"]["value"].get<double>();
  };
  EXPECT_EQ(recall({}), 1.0);
  EXPECT_LT(recall({"memory.ranking.hand_on=0", "memory.ranking.beside=0", "memory.ranking.question=2"}), 1.0)
      << "the question instead of the answer";
  EXPECT_THAT(run_program({"config", "--all"}, folder_.path()).out, HasSubstr("memory.ranking.hand_on "));
  const auto unknown = run_program({"eval", "--memory", "talk.json", "--set", "hand_on=0"}, folder_.path());
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("config --all"));
}

TEST_F(RecallScenario, EvalNamesWhatIsOffInAFile) {
  const auto eval = [&](const std::string& bytes) {
    folder_.write("talk.json", bytes);
    const auto result = run_program({"eval", "--memory", "talk.json"}, folder_.path());
    EXPECT_EQ(result.exit_code, 2) << bytes;
    return result.err;
  };
  EXPECT_THAT(eval("nonsense"), HasSubstr("not a JSON list of conversations"));
  EXPECT_THAT(eval(R"([{"qa": []}])"), HasSubstr("conversation 1 has no \"conversation\""));
  EXPECT_THAT(eval(R"([{"conversation": {"session_1": [], "session_1_date_time": "soon"}, "qa": []}])"),
              HasSubstr("session 1 has no date"));
  EXPECT_THAT(eval(R"([{"conversation": {}, "qa": []}])"), HasSubstr("has no turns"));
  folder_.write("talk.json", kConversations);
  EXPECT_EQ(run_program({"eval", "--memory", "talk.json", "--method", "magic"}, folder_.path()).exit_code, 2);
  EXPECT_EQ(run_program({"eval", "--memory", "talk.json", "--set", "magic=1"}, folder_.path()).exit_code, 2);
  EXPECT_EQ(run_program({"eval", "--memory", "talk.json", "--from-git", "3"}, folder_.path()).exit_code, 2);
}

TEST_F(RecallScenario, ABudgetInWhichNothingFitsIsToldWithOneThatWouldDo) {
  const auto small = recall({"which port?", "--max-tokens", "10"});
  EXPECT_EQ(small.exit_code, 0);
  EXPECT_EQ(small.out, "");
  const std::string said = "nothing fits a budget of 10; something does from ";
  const size_t at = small.err.find(said);
  ASSERT_NE(at, std::string::npos) << small.err;
  const int enough = std::atoi(small.err.c_str() + at + said.size());
  EXPECT_NE(recall({"which port?", "--max-tokens", std::to_string(enough)}).out, "");
  EXPECT_THAT(recall({"which port?", "--max-tokens", std::to_string(enough - 1)}).err,
              HasSubstr("nothing fits"));
  EXPECT_EQ(recall({"thanks", "--max-tokens", "10"}).err, "") << "nothing was to be recalled";
}

}  // namespace
}  // namespace knapsack

// The program with the recorded answers of a real server: what becomes of them in a packet, an index, an order and a
// review. The model has 135 million parameters; nobody would take its word for anything.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/replay_server.h"
#include "support/support.h"

namespace knapsack {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using testing::body_of;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::recorded;
using testing::Replay;
using testing::ReplayServer;

constexpr const char* kRecordedTask =
    "fix `import_manifest` in src/parcels/importer.py: rows are skipped after a restart";
constexpr const char* kTranscript =
    "User: The import skipped rows again after the restart. Please look at src/parcels/importer.py.\n"
    "Assistant: The offset counted bytes, but the reader continues by rows. I changed it to rows.\n"
    "User: Good. We decided to store the offset in rows from now on, never in bytes.\n"
    "Assistant: Done, and I added a test for it.\n"
    "User: From now on always run the importer's tests before you commit.\n";

// The recording that answers a question of this kind.
std::string recording_for(const std::string& request) {
  const json body = json::parse(body_of(request));
  const std::string schema = body.at("response_format").at("json_schema").at("name");
  const std::pair<const char*, const char*> rows[] = {
      {"task_intent", "judge_1"},       {"scope_verdicts", "judge_2"}, {"precision_verdicts", "judge_3"},
      {"file_description", "enrich_1"}, {"memory_scores", "rerank_1"}, {"capture_verdicts", "capture_1"}};
  for (const auto& [name, recording] : rows)
    if (schema == name) return recording;
  ADD_FAILURE() << "nobody recorded an answer to " << schema;
  return "judge_2";
}

class RecordedModel : public ::testing::Test {
 protected:
  RecordedModel()
      : server_([](const std::string& request) {
          return Replay{recorded(recording_for(request) + ".response")};
        }) {
    std::filesystem::copy(KNAPSACK_SOURCE_DIR "/examples/workspace", folder_.path(),
                          std::filesystem::copy_options::recursive);
  }
  testing::ProgramResult run(std::vector<std::string> arguments, const std::string& input = "") {
    return testing::run_program(arguments, folder_.path(), {}, input);
  }
  std::vector<std::string> model(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--model", "smollm2", "--base-url", server_.openai_url()});
    return arguments;
  }
  testing::ProgramResult retrieve(const std::vector<std::string>& more) {
    std::vector<std::string> words = {
        "retrieve", kRecordedTask,       "--stages", "scope,precision", "--context-window",
        "8192",     "--reserved-tokens", "7000",     "--no-meaning",    "-v"};
    words.insert(words.end(), more.begin(), more.end());
    auto result = run(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result;
  }

  testing::TemporaryFolder folder_;
  ReplayServer server_;
};

TEST_F(RecordedModel, JudgesAndNothingThatTheTaskNamesIsLost) {
  const auto judged = retrieve({"--model", "smollm2", "--base-url", server_.openai_url()});
  EXPECT_EQ(server_.requests().size(), 3U) << "what it needs, files, parts";
  EXPECT_THAT(judged.out, HasSubstr("## src/parcels/importer.py"));
  EXPECT_THAT(judged.out, HasSubstr("def import_manifest"));
  const std::string account = run({"explain", "latest"}).out;
  EXPECT_THAT(account, HasSubstr("model: relevant"));
}

TEST_F(RecordedModel, CutOffInTheMiddleItCostsItsOpinionsAndIsSaid) {
  const ReplayServer cut([](const std::string& request) {
    const std::string whole = recorded(recording_for(request) + ".response");
    return Replay{whole.substr(0, whole.size() / 2)};
  });
  const auto judged = retrieve({"--model", "smollm2", "--base-url", cut.openai_url()});
  const auto rules = retrieve({"--no-llm"});
  EXPECT_THAT(judged.err, HasSubstr("scope: the model 'smollm2' gave no usable answer twice"));
  EXPECT_THAT(judged.out, HasSubstr("## src/parcels/importer.py"));
  EXPECT_EQ(judged.out.substr(judged.out.find("\n## ")), rules.out.substr(rules.out.find("\n## ")));
}

TEST_F(RecordedModel, ThatComesTooSlowlyCostsTheTimeThatItWasGiven) {
  const ReplayServer slow([](const std::string& request) {
    return Replay{recorded(recording_for(request) + ".response"), std::chrono::milliseconds(300)};
  });
  const auto judged =
      retrieve({"--model", "smollm2", "--base-url", slow.openai_url(), "--model-deadline", "1s"});
  EXPECT_THAT(judged.err, HasSubstr("understand: "));
  EXPECT_THAT(judged.err, HasSubstr("no complete answer in time: 1.0 s were given (model.deadline)"));
  EXPECT_EQ(slow.requests().size(), 1U) << "nothing is asked when the time is over";
  EXPECT_THAT(judged.out, HasSubstr("## src/parcels/importer.py"));
}

TEST_F(RecordedModel, DescribesAFileByWhatItSaidBeforeItRepeatedItself) {
  ASSERT_EQ(run({"index"}).exit_code, 0);
  const auto described = run(model({"enrich", "--limit", "1", "--promote"}));
  EXPECT_EQ(described.exit_code, 0) << described.err;
  EXPECT_EQ(server_.requests().size(), 1U);
  const auto review = run({"enrich", "--model", "smollm2", "--review"});
  EXPECT_THAT(review.out, HasSubstr("Batches of manifest rows in SQLite"));
  EXPECT_THAT(run({"outline", "src/parcels/batches.py"}).out,
              HasSubstr("Batches of manifest rows in SQLite"));
}

TEST_F(RecordedModel, PutsMemoriesInItsOrder) {
  const auto recalled = run(model({"recall", "why did the import skip rows after a restart?", "--rerank",
                                   "--no-meaning", "--format", "json"}));
  ASSERT_EQ(recalled.exit_code, 0) << recalled.err;
  ASSERT_EQ(server_.requests().size(), 1U);
  EXPECT_LT(recalled.out.find("fact-offset-in-rows"), recalled.out.find("fact-crash-after-restart"))
      << "it gave 1 point of 100 to the one and none to the other";
  EXPECT_EQ(json::parse(recalled.out)["status"], "ok");
}

TEST_F(RecordedModel, ThatFailsACaptureIsSaidInTheAnswerAndFailsAStrictOne) {
  const ReplayServer cut([](const std::string& request) {
    const std::string whole = recorded(recording_for(request) + ".response");
    return Replay{whole.substr(0, whole.size() / 2)};
  });
  std::vector<std::string> words = {"capture", "--dry-run", "--format",   "json",
                                    "--model", "smollm2",   "--base-url", cut.openai_url()};
  const auto asked = run(words, kTranscript);
  EXPECT_EQ(asked.exit_code, 0) << asked.err;
  const json answer = json::parse(asked.out);
  EXPECT_THAT(answer["warnings"].dump(), HasSubstr("smollm2"));
  const json rules = json::parse(run({"capture", "--dry-run", "--format", "json"}, kTranscript).out);
  EXPECT_EQ(answer["proposals"], rules["proposals"]);
  EXPECT_TRUE(rules["warnings"].empty());
  words.emplace_back("--strict");
  EXPECT_EQ(run(words, kTranscript).exit_code, 1);
}

TEST_F(RecordedModel, ChoosesSentencesOfAConversationAndInventsNone) {
  const std::vector<std::string> words = {"capture", "--dry-run", "--format", "json"};
  const json rules = json::parse(run(words, kTranscript).out);
  const auto asked = run(model(words), kTranscript);
  ASSERT_EQ(asked.exit_code, 0) << asked.err;
  const json both = json::parse(asked.out);
  ASSERT_GT(both["proposals"].size(), rules["proposals"].size());
  EXPECT_EQ(both["proposals"].back()["because"], "the model says so");
  for (size_t i = 0; i < rules["proposals"].size(); ++i)
    EXPECT_EQ(both["proposals"][i], rules["proposals"][i]) << "what the rules found stays";
  for (const json& each : both["proposals"])
    EXPECT_THAT(kTranscript, HasSubstr(each["text"].get<std::string>().substr(1))) << "word for word";
}

TEST_F(RecordedModel, WithoutAnAnswerCaptureGoesByItsRulesAndSaysSo) {
  const ReplayServer down(recorded("no_key_1.response"));
  const std::vector<std::string> words = {"capture", "--dry-run", "--format", "json"};
  const auto asked =
      run({"capture", "--dry-run", "--format", "json", "--model", "smollm2", "--base-url", down.openai_url()},
          kTranscript);
  EXPECT_EQ(asked.exit_code, 0);
  json answer = json::parse(asked.out);
  EXPECT_THAT(answer["warnings"].dump(), HasSubstr("status 401"));
  answer["warnings"].clear();
  EXPECT_EQ(answer, json::parse(run(words, kTranscript).out));
  EXPECT_THAT(asked.err, HasSubstr("capture: "));
  EXPECT_THAT(asked.err, HasSubstr("status 401"));
  const auto half = run({"capture", "--dry-run", "--model", "smollm2"}, kTranscript);
  EXPECT_EQ(half.exit_code, 2);
  EXPECT_THAT(half.err, HasSubstr("--model needs --base-url; name both, or neither for rules alone"));
}

TEST_F(RecordedModel, IsSentNoSecretOfAConversationAndNothingWhereItIsLeftOut) {
  const std::string secret = "ghp_" + std::string(36, 'A');
  run(model({"capture", "--dry-run"}),
      std::string(kTranscript) + "User: The token is " + secret + " for now.\n");
  ASSERT_EQ(server_.requests().size(), 1U);
  EXPECT_THAT(server_.requests()[0], AllOf(HasSubstr("The offset counted bytes"), Not(HasSubstr(secret))));
  run(model({"capture", "--dry-run", "--no-llm"}), kTranscript);
  EXPECT_EQ(server_.requests().size(), 1U) << "nobody was asked";
}

}  // namespace
}  // namespace knapsack

// `knapsack enrich` as people run it: killed and resumed, with a model that misbehaves, and with none at all.
#include <atomic>
#include <filesystem>
#include <random>
#include <thread>

#include "scenarios/support_index_program.h"
#include "support/model_server.h"
#include "support/repository_git.h"
#include "support/support.h"

namespace knapsack {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;
using testing::Misbehaviour;
using testing::ModelServer;
using ::testing::Not;
using testing::ReceivedChat;
using testing::run_program;
using testing::RunningProgram;
using testing::TestRepository;

constexpr int kFiles = 12;
constexpr const char* kKey = "sk-knapsack-test-0123456789abcdef";

std::string describe(const ReceivedChat&) {
  return json{{"purpose", "Holds a number."}, {"module", "numbers"}, {"domain", "arithmetic"},
              {"concepts", {"number"}},       {"public_api", {"N"}}, {"complexity_notes", ""}}
      .dump();
}

class EnrichProgram : public ::testing::Test {
 protected:
  EnrichProgram()
      : server_([this](const ReceivedChat& chat) {
          std::this_thread::sleep_for(thinking_time_.load());
          return describe(chat);
        }) {
    for (int i = 0; i < kFiles; ++i) {
      made_.write("n" + std::to_string(i) + ".py", "N = " + std::to_string(i) + "\n");
    }
    made_.commit("Count");
    testing::index_report(made_.path());
  }
  std::vector<std::string> arguments(std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"enrich", "--model", "m", "--base-url", server_.base_url()};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  json report(std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--format", "json"});
    const auto result = run_program(arguments(more), made_.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }

  TestRepository made_;
  std::atomic<std::chrono::milliseconds> thinking_time_{std::chrono::milliseconds(0)};  // of the model
  ModelServer server_;
};

TEST_F(EnrichProgram, KilledAnywhereLosesNoAnswerThatItHadKept) {
  std::mt19937 random(20261115);
  int kills = 0;
  // A program that was through before anybody could kill it would show nothing.
  thinking_time_ = std::chrono::milliseconds(20);
  while (kills < 8) {
    const int wanted = server_.requests() + 1 + static_cast<int>(random() % 2);
    RunningProgram running(arguments({"--promote"}), made_.path());
    while (running.running() && server_.requests() < wanted)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
    if (!running.running()) break;
    running.kill_now();
    running.finish();
    ++kills;
  }
  EXPECT_GT(kills, 0);
  const json last = report({"--promote"});
  EXPECT_EQ(last["known"].get<int>() + last["answered"].get<int>(), kFiles);
  EXPECT_EQ(last["promoted"], kFiles);
  // Only the answer that was on its way when the program died is asked for again.
  EXPECT_LE(server_.requests(), kFiles + kills);
  EXPECT_EQ(report()["asked"], 0);
}

TEST_F(EnrichProgram, SaysWhatItDidAndWhatComesNext) {
  const auto first = run_program(arguments({"--limit", "5"}), made_.path());
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("Asked m about 5 files in "));
  EXPECT_THAT(first.out, HasSubstr("  described   5 of 12 files\n"));
  EXPECT_THAT(first.out, HasSubstr("  left        7 files not asked about yet: run it again\n"));
  EXPECT_THAT(first.out, HasSubstr("--promote copies the descriptions into the index"));
  EXPECT_EQ(first.err, "");
  const auto second = run_program(arguments({"--promote"}), made_.path());
  EXPECT_THAT(second.out, HasSubstr("  promoted    12 descriptions in the index\n"));
  const auto third = run_program(arguments({"--promote"}), made_.path());
  EXPECT_THAT(third.out, HasSubstr("Nothing to ask m about: 12 of 12 files described already\n"));
  EXPECT_EQ(server_.requests(), kFiles);
}

TEST_F(EnrichProgram, SurvivesAModelThatMostlyTalksNonsense) {
  server_.misbehave(Misbehaviour::kNotJson, 2 * (kFiles - 1));
  const auto result = run_program(arguments({"--promote"}), made_.path());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("  no use      11 answers (malformed 11), first n0.py: "));
  EXPECT_THAT(result.out, HasSubstr("  promoted    1 description in the index\n"));
  server_.misbehave(Misbehaviour::kWrongSchema, 2);
  EXPECT_EQ(run_program(arguments({"--strict"}), made_.path()).exit_code, 1);
  EXPECT_EQ(report()["answered"], 1);
}

TEST_F(EnrichProgram, FailsWhereNothingCouldBeDescribed) {
  server_.misbehave(Misbehaviour::kNotJson, 2 * kFiles);
  const auto result = run_program(arguments(), made_.path());
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("0 described"));
  EXPECT_THAT(result.err, HasSubstr("none of 12 files could be described: n0.py: "));
}

TEST_F(EnrichProgram, NamesTheDeadlineThatStoppedAnAnswer) {
  server_.misbehave(Misbehaviour::kSlow);
  const auto result = run_program(arguments({"--limit", "1", "--timeout", "1s"}), made_.path());
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("no complete answer in time: 1.0 s were given (--timeout)"));
}

TEST_F(EnrichProgram, WithoutAModelSaysSoInOneLineAndFails) {
  int port = 0;
  {
    const ModelServer gone(describe);
    port = gone.port();
  }
  const std::string url = "http://127.0.0.1:" + std::to_string(port);
  const auto result = run_program({"enrich", "--model", "m", "--base-url", url}, made_.path());
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("the model could not be asked: " + url + ": no connection"));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
}

TEST_F(EnrichProgram, StopsWhenTheServerGoesAwayAndKeepsWhatItHad) {
  ASSERT_EQ(report({"--limit", "3"})["answered"], 3);
  server_.misbehave(Misbehaviour::kStatus429);
  const auto result = run_program(arguments({"--promote"}), made_.path());
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("  promoted    3 descriptions in the index\n"));
  EXPECT_THAT(result.err, HasSubstr("status 429"));
  EXPECT_EQ(server_.requests(), 4) << "it does not knock nine times";
}

TEST_F(EnrichProgram, RefusesInOneLine) {
  struct Row {
    std::vector<std::string> words;
    const char* says;
  };
  for (const Row& row : {
           Row{{"enrich"}, "--model"},
           Row{{"enrich", "--model", "m"}, "--base-url"},
           Row{{"enrich", "--model", "", "--base-url", "http://h"}, "no model is named"},
           Row{{"enrich", "--model", "m", "--base-url", "h"}, "must begin with http:// or https://"},
           Row{{"enrich", "--model", "m", "--base-url", "http://me:hunter2@h"}, "a user name or a password"},
           Row{arguments({"--limit", "0"}), "--limit"},
           Row{arguments({"--provider", "gpt"}), "choose one of auto, ollama, openai"},
           Row{arguments({"--context-window", "0"}), "0 tokens"},
           Row{arguments({"--context-window", "300"}), "too small to ask about a file"},
           Row{arguments({"--context-window", "many"}), "--context-window"},
           Row{arguments({"--timeout", "soon"}), "--timeout"},
           Row{arguments({"--timeout", "0s"}), "too short or too long"},
           Row{arguments({"--format", "xml"}), "--format"},
       }) {
    const auto result = run_program(row.words, made_.path());
    EXPECT_EQ(result.exit_code, 2) << row.says << ": " << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(row.says));
    EXPECT_THAT(result.err, Not(HasSubstr("hunter2")));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
  EXPECT_EQ(server_.requests(), 0);
}

TEST_F(EnrichProgram, WithoutAnIndexSaysHowToGetOne) {
  const testing::TemporaryFolder empty;
  const auto result = run_program(arguments({"--workspace", empty.path()}), made_.path());
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("run `knapsack index`"));
}

TEST_F(EnrichProgram, TakesNoAddressFromAFolderThatCameFromElsewhere) {
  made_.write("knapsack.toml", "[model]\nbase_url = \"http://elsewhere.invalid\"\n");
  const auto result = run_program(arguments(), made_.path());
  EXPECT_EQ(result.exit_code, 0) << "the caller's own address is asked";
  EXPECT_THAT(result.err, HasSubstr("model.base_url of knapsack.toml does nothing"));
  EXPECT_THAT(result.err, HasSubstr("would send texts to a model that you did not choose"));
  EXPECT_GT(server_.requests(), 0);
}

TEST_F(EnrichProgram, SendsTheKeyAndLeavesItNowhere) {
  server_.misbehave(Misbehaviour::kEchoesKey, 2);
  for (const std::string& url : {server_.base_url(), server_.openai_url()}) {
    const auto result = run_program({"enrich", "--model", url, "--base-url", url, "--log-level", "debug"},
                                    made_.path(), {{"KNAPSACK_MODEL_KEY", kKey}});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out + result.err, Not(HasSubstr(kKey)));
  }
  for (const auto& chat : server_.received()) EXPECT_EQ(chat.authorization, std::string("Bearer ") + kKey);
  for (const auto& entry : fs::recursive_directory_iterator(made_.file(".knapsack"))) {
    if (!entry.is_regular_file()) continue;
    const std::string name = fs::relative(entry.path(), made_.path()).string();
    EXPECT_THAT(made_.folder().read(name), Not(HasSubstr(kKey))) << name;
  }
}

}  // namespace
}  // namespace knapsack

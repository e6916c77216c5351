// Memories that a conversation proposes: they wait until somebody decides.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "scenarios/support_terminal.h"
#include "support/support.h"

namespace knapsack {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ProgramResult;

class CaptureScenario : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder_.file(".git"));
    folder_.write("talk.txt",
                  "User: Where do we keep the ledger?\n"
                  "Assistant: In a text file so far.\n"
                  "User: We decided to keep the ledger in SQLite.\n"
                  "User: Я предпочитаю короткие ответы.\n"
                  "User: The token is ghp_" +
                      std::string(36, 'A') + " and we decided to keep it.\n");
  }
  ProgramResult run(const std::vector<std::string>& arguments, const std::string& input = "") {
    return testing::run_program(arguments, folder_.path(), {}, input);
  }
  json capture(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"capture", "--from", "talk.txt", "--format", "json"});
    const auto result = run(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }
  std::string recall() { return run({"recall", "where is the ledger kept?"}).out; }

  testing::TemporaryFolder folder_;
};

TEST_F(CaptureScenario, ProposalsAreRecalledOnlyWhenSomebodyAcceptedThem) {
  const json made = capture();
  ASSERT_EQ(made["proposals"].size(), 2U) << made.dump(2);
  EXPECT_EQ(made["proposals"][0]["category"], "decision");
  EXPECT_THAT(made.dump(), Not(HasSubstr("ghp_")));
  EXPECT_THAT(recall(), Not(HasSubstr("SQLite")));
  EXPECT_THAT(run({"memories", "list"}).out, HasSubstr("0 of 0 memories"));
  EXPECT_THAT(run({"search", "ledger", "--source", "memory"}).out, Not(HasSubstr("SQLite")));
  EXPECT_EQ(capture()["proposals"].size(), 0U) << "what waits is not proposed twice";

  const std::string id = made["proposals"][0]["id"];
  EXPECT_THAT(run({"memories", "review"}).out, AllOf(HasSubstr(id), HasSubstr("3 proposals wait")));
  EXPECT_THAT(run({"memories", "review", "--accept", id}).out, HasSubstr(id + " is remembered"));
  EXPECT_THAT(recall(), HasSubstr("We decided to keep the ledger in SQLite"));
  EXPECT_EQ(run({"memories", "review", "--accept", "no-such-id"}).exit_code, 1);
}

TEST_F(CaptureScenario, WhatWasRefusedIsNotProposedAgain) {
  const json made = capture();
  EXPECT_EQ(run({"memories", "review", "--refuse", "all"}).exit_code, 0);
  EXPECT_EQ(capture()["proposals"].size(), 0U);
  EXPECT_EQ(capture()["known"], 2);
  EXPECT_THAT(recall(), Not(HasSubstr("SQLite")));
}

TEST_F(CaptureScenario, TheSessionIsAnEpisodeThatLinksItsMemories) {
  const json made = capture();
  ASSERT_EQ(run({"memories", "review", "--accept", "all"}).exit_code, 0);
  const json episode =
      json::parse(run({"memories", "show", made["episode"].get<std::string>(), "--format", "json"}).out);
  EXPECT_EQ(episode["kind"], "episode");
  ASSERT_EQ(episode["links"].size(), 2U);
  EXPECT_EQ(episode["links"][0]["targetId"], made["proposals"][0]["id"]);
}

TEST_F(CaptureScenario, WhoSaysSoRemembersAtOnceAndADryRunWritesNothing) {
  EXPECT_EQ(capture({"--dry-run"})["proposals"].size(), 2U);
  EXPECT_THAT(run({"memories", "review"}).out, HasSubstr("0 proposals wait"));
  capture({"--remember"});
  EXPECT_THAT(recall(), HasSubstr("SQLite"));
  EXPECT_THAT(run({"memories", "review"}).out, HasSubstr("0 proposals wait"));
}

TEST_F(CaptureScenario, ATerminalIsAskedAboutEach) {
  capture();
  const auto asked = testing::run_on_terminal({"memories", "review"}, folder_.path(), "y\nn\nlater\n");
  EXPECT_EQ(asked.exit_code, 0) << asked.shown;
  EXPECT_THAT(asked.shown, AllOf(HasSubstr("remember this? [y/n/later]"), HasSubstr("is remembered"),
                                 HasSubstr("is refused"), HasSubstr("1 proposal wait")));
}

TEST_F(CaptureScenario, TheEndOfASessionProposesThroughTheHook) {
  const json turn = {
      {"type", "user"},
      {"message", {{"role", "user"}, {"content", "We decided to keep the ledger in SQLite."}}}};
  folder_.write("session.jsonl", turn.dump() + "\n");
  const json event = {{"hook_event_name", "SessionEnd"},
                      {"session_id", "s"},
                      {"cwd", folder_.path()},
                      {"transcript_path", folder_.file("session.jsonl")}};
  const auto hooked = run({"hook", "claude-code"}, event.dump());
  EXPECT_EQ(hooked.exit_code, 0);
  EXPECT_EQ(hooked.out, "") << "the client hears nothing";
  EXPECT_THAT(run({"memories", "review"}).out, HasSubstr("We decided to keep the ledger in SQLite."));
  json elsewhere = event;
  elsewhere["transcript_path"] = "/etc/passwd";
  EXPECT_EQ(run({"hook", "claude-code"}, elsewhere.dump()).exit_code, 0) << "never in the way";
}

TEST_F(CaptureScenario, WhatIsNoConversationIsOneLineAndExitCodeTwo) {
  const auto result = run({"capture"}, "just some text\n");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_EQ(run({"capture", "--from", "missing.jsonl"}).exit_code, 1);
}

}  // namespace
}  // namespace knapsack

// `knapsack hook` as a client runs it.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "scenarios/support_hook.h"
#include "support/repository_git.h"

namespace knapsack {
namespace {

using namespace knapsack::testing;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(HookScenario, ASessionStartsWithTheNotes) {
  const HookWorkspace workspace;
  for (const char* source : {"startup", "resume", "clear", "compact"}) {
    const auto input =
        workspace.input(std::string("claude-code-session-start-") + source, {{"session_id", source}});
    const std::string context = workspace.context(workspace.hook(input), "SessionStart");
    EXPECT_THAT(context, HasSubstr("Never delete an order")) << source;
    EXPECT_THAT(context, HasSubstr("Import resumes after a crash")) << source;
  }
}

TEST(HookScenario, TheNotesAreNotGivenTwiceInARowUnlessTheyWereLost) {
  const HookWorkspace workspace;
  const auto start = [&](const std::string& source) {
    return workspace.context(workspace.hook(workspace.input("claude-code-session-start-" + source)),
                             "SessionStart");
  };
  EXPECT_NE(start("startup"), "");
  EXPECT_EQ(start("resume"), "");
  EXPECT_NE(start("compact"), "");
  EXPECT_NE(start("clear"), "");
  EXPECT_EQ(start("resume"), "");
}

TEST(HookScenario, AQuestionIsAnsweredFromMemory) {
  const HookWorkspace workspace;
  for (const char* fixture : {"claude-code-user-prompt-submit", "claude-code-user-prompt-submit-older"}) {
    const auto input = workspace.input(fixture, {{"session_id", fixture}});
    EXPECT_THAT(workspace.context(workspace.hook(input), "UserPromptSubmit"), HasSubstr("PostgreSQL"));
  }
}

TEST(HookScenario, AnAcknowledgementInjectsNothing) {
  const HookWorkspace workspace;
  for (const char* text : {"thanks", "ok", "Thank you!", "спасибо", "👍", "ок, спасибо"})
    EXPECT_EQ(workspace.prompt_context(text), "") << text;
}

TEST(HookScenario, TheSamePromptIsNotAnsweredTwiceInARow) {
  const HookWorkspace workspace;
  EXPECT_NE(workspace.prompt_context("which database did we decide on?"), "");
  EXPECT_EQ(workspace.prompt_context("which database did we decide on?"), "");
  EXPECT_NE(workspace.prompt_context("which database did we decide on?", "another session"), "");
}

TEST(HookScenario, OtherWordsForTheSameEntriesInjectNothingNew) {
  const HookWorkspace workspace;
  const std::string first = workspace.prompt_context("which database did we decide on?");
  ASSERT_THAT(first, HasSubstr("PostgreSQL"));
  EXPECT_EQ(workspace.prompt_context("what database did we decide on?"), "");
}

TEST(HookScenario, AfterTheContextWasCompactedItIsGivenAgain) {
  const HookWorkspace workspace;
  const std::string session = "4f1c9f0e-6d0b-4f37-9a52-0c8f2f7e1b11";
  ASSERT_NE(workspace.prompt_context("which database did we decide on?", session), "");
  ASSERT_NE(
      workspace.context(workspace.hook(workspace.input("claude-code-session-start-compact")), "SessionStart"),
      "");
  EXPECT_NE(workspace.prompt_context("which database did we decide on?", session), "");
}

// A workspace whose code is indexed.
class HookWithCode : public ::testing::Test {
 protected:
  void SetUp() override {
    repository_.write("shop/cart.py",
                      "def cart_total(items):\n    return sum(item.price for item in items)\n");
    repository_.write("shop/user.py", "class User:\n    name = ''\n");
    repository_.write(".context/CONSTITUTION.md", "# Constitution\n\n- Prices are whole cents\n");
    repository_.commit("all");
  }
  std::string context(const std::string& text) const {
    const nlohmann::json input = {{"hook_event_name", "UserPromptSubmit"},
                                  {"session_id", text},
                                  {"cwd", repository_.path()},
                                  {"prompt", text}};
    const auto result = run_program({"hook", "claude-code"}, "/", {}, input.dump());
    EXPECT_EQ(result.exit_code, 0);
    if (result.out.empty()) return "";
    return nlohmann::json::parse(result.out)["hookSpecificOutput"]["additionalContext"];
  }
  TestRepository repository_;
};

TEST_F(HookWithCode, ATaskForTheCodeGetsAPackOnceThereIsAnIndex) {
  const std::string task = "fix cart_total: it fails for an empty cart";
  EXPECT_THAT(context(task), Not(HasSubstr("def cart_total")));
  EXPECT_FALSE(repository_.folder().exists(".knapsack/curated.db")) << "a hook indexes nothing";
  ASSERT_EQ(run_program({"index"}, repository_.path()).exit_code, 0);
  const std::string packed = context(task + "!");
  EXPECT_THAT(packed, HasSubstr("def cart_total"));
  EXPECT_THAT(packed, HasSubstr("Prices are whole cents"));
  EXPECT_EQ(context("what did we agree on last week?"), "")
      << "a question for memories, of which there are none";
}

TEST_F(HookWithCode, AFileThatChangedSinceItWasIndexedDoesNotStopIt) {
  ASSERT_EQ(run_program({"index"}, repository_.path()).exit_code, 0);
  repository_.write("shop/cart.py", "def cart_total(items):\n    return 'changed'\n");
  std::filesystem::remove(repository_.file("shop/user.py"));
  EXPECT_THAT(context("refactor cart_total in shop/cart.py"), HasSubstr("cart.py"));
}

TEST(HookScenario, NeverMoreCharactersThanTheClientShowsWhateverTheBudget) {
  const HookWorkspace workspace;
  std::string learnings = "# Learnings\n", decisions = "# Decisions\n", tasks = "# Tasks\n\n";
  for (int i = 0; i < 400; ++i) {
    const std::string number = std::to_string(i);
    learnings += "\n## [2026-02-01-10" + std::to_string(1000 + i) + "] Урок " + number +
                 "\n\nИмпорт 🚚🚚🚚 прерывается " + std::string(40, 'x') + " 🎒🎒🎒🎒🎒🎒🎒🎒 и возобновляется.\n";
    decisions += "\n## [2026-02-02-10" + std::to_string(1000 + i) + "] Decision " + number +
                 "\n\nImports are resumed from the last row that was written, number " + number + ".\n";
    tasks += "- [ ] 🎒🎒🎒🎒🎒🎒🎒🎒🎒🎒🎒🎒🎒🎒 задача " + number + "\n";
  }
  workspace.folder().write(".context/LEARNINGS.md", learnings);
  workspace.folder().write(".context/DECISIONS.md", decisions);
  workspace.folder().write(".context/TASKS.md", tasks);
  for (int i = 0; i < 60; ++i) {
    std::string text = "Импорт базы данных, the database import, number " + std::to_string(i) + ": ";
    for (int j = 0; j < 40; ++j) text += "🎒 строка ";
    workspace.memory("long" + std::to_string(i), text);
  }
  workspace.folder().write(
      "knapsack.toml",
      "[memory]\ndir = \"m\"\n[notes]\nbudget = 200000\n[pack]\nbudget = 200000\n[recall]\n"
      "max_tokens = 200000\nmax_results = 60\n");
  const std::string notes =
      workspace.context(workspace.hook(workspace.input("claude-code-session-start-startup")), "SessionStart");
  EXPECT_GT(javascript_length(notes), 7500U) << "the room is used";
  EXPECT_THAT(notes, HasSubstr("Never delete an order"));
  const std::string recalled = workspace.prompt_context("what do we know of the database import?");
  EXPECT_GT(javascript_length(recalled), 7500U);
  for (const std::string* text : {&notes, &recalled})
    EXPECT_EQ(text->find("\xEF\xBF\xBD"), std::string::npos)
        << "nothing was cut in the middle of a character";
}

TEST(HookScenario, RulesThatAreLongerThanTheClientShowsAreGivenAsFarAsTheyFit) {
  const HookWorkspace workspace;
  std::string rules = "# Constitution\n\n";
  for (int i = 0; i < 400; ++i) rules += "- Rule " + std::to_string(i) + " holds always and everywhere 🎒\n";
  workspace.folder().write(".context/CONSTITUTION.md", rules);
  const std::string context =
      workspace.context(workspace.hook(workspace.input("claude-code-session-start-startup")), "SessionStart");
  EXPECT_THAT(context, HasSubstr("Rule 0 holds"));
  EXPECT_THAT(context, HasSubstr("Rule 50 holds"));
}

TEST(HookScenario, WhatDoesNotFitAtAllIsInTheLedger) {
  const HookWorkspace workspace;
  ASSERT_NE(workspace.prompt_context("which port?"), "");  // now there is a ledger
  std::string rules = "# Constitution\n\n";
  for (int i = 0; i < 400; ++i) rules += "- Rule " + std::to_string(i) + " holds always and everywhere\n";
  workspace.folder().write(".context/CONSTITUTION.md", rules);
  ASSERT_NE(
      workspace.context(workspace.hook(workspace.input("claude-code-session-start-startup")), "SessionStart"),
      "");
  EXPECT_THAT(workspace.last_runs(2), HasSubstr("agent")) << "the notes that were too long, before the pack";
}

TEST(HookScenario, WhateverComesInNothingComesOutAndTheExitCodeIsZero) {
  const HookWorkspace workspace;
  std::string with_nul = workspace.input("claude-code-user-prompt-submit");
  with_nul[with_nul.size() / 2] = '\0';
  const std::string inputs[] = {
      "",
      " \n",
      "not JSON",
      "null",
      "[]",
      "{}",
      "{\"hook_event_name\":\"UserPromptSubmit\"}",
      "{\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":{\"a\":1}}",
      "{\"hook_event_name\":7,\"prompt\":\"x\"}",
      workspace.input("claude-code-user-prompt-submit", {{"hook_event_name", "PreToolUse"}}),
      workspace.input("claude-code-user-prompt-submit", {{"cwd", "/no/such/folder"}}),
      workspace.input("claude-code-user-prompt-submit", {{"cwd", ""}, {"prompt", ""}}),
      with_nul,
      std::string(200'000, '['),
      "{\"a\":" + std::string(200'000, '{'),
      std::string("\xff\xfe\x00\x01", 4),
      "{\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"\xff\"}"};
  for (const std::string& input : inputs) {
    for (const char* client : {"claude-code", "openclaw"}) {
      const auto result = workspace.hook(input, client);
      EXPECT_EQ(result.exit_code, 0) << input.substr(0, 100);
      EXPECT_EQ(result.out, "") << input.substr(0, 100);
      EXPECT_EQ(result.err, "") << input.substr(0, 100);
    }
  }
}

TEST(HookScenario, APromptWithANulOrAHundredThousandWordsIsRead) {
  const HookWorkspace workspace;
  EXPECT_THAT(workspace.prompt_context(std::string("which database\0 did we decide on?", 33)),
              HasSubstr("Postgre"));
  std::string longest = "which database did we decide on? ";
  while (longest.size() < 600'000) longest += "and then some more words about it ";
  EXPECT_EQ(workspace.prompt(longest).exit_code, 0);
}

TEST(HookScenario, AHundredMegabytesAreNotRead) {
  const HookWorkspace workspace;
  const auto result = run_command(
      {"bash", "-c", "head -c 100000000 /dev/zero | tr '\\0' 'x' | \"$PROGRAM\" hook claude-code"},
      workspace.folder().path(), {{"PROGRAM", KNAPSACK_PROGRAM}});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "");
}

TEST(HookScenario, InputThatNeverEndsMeetsTheDeadline) {
  const HookWorkspace workspace;
  const double began = now_seconds();
  const auto result = run_command({"bash", "-c", "\"$PROGRAM\" hook claude-code < <(sleep 8 2>/dev/null)"},
                                  workspace.folder().path(),
                                  {{"PROGRAM", KNAPSACK_PROGRAM}, {"KNAPSACK_HOOK_DEADLINE_MS", "500"}});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "");
  EXPECT_LT(now_seconds() - began, 7);
}

TEST(HookScenario, WorkThatTakesTooLongIsGivenUpAndTheLedgerKnows) {
  const HookWorkspace workspace;
  ASSERT_NE(workspace.prompt_context("which port?"), "");  // now there is a ledger
  workspace.folder().write("knapsack.toml", "[memory]\ndir = \"m\"\n[hook]\ndeadline_ms = 1\n");
  const auto result = workspace.prompt("which database did we decide on?");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(workspace.last_runs(1), HasSubstr("hook"));
  EXPECT_THAT(run_program({"explain", "latest"}, workspace.folder().path()).out,
              HasSubstr("not done by the deadline"));
}

TEST(HookScenario, AFailureIsALineInTheLedgerAndOnStandardErrorForWhoAsks) {
  const HookWorkspace workspace;
  ASSERT_NE(workspace.prompt_context("which port?"), "");
  workspace.folder().write("knapsack.toml", "[recal]\nmax_tokens = 3\n");
  const std::string input = workspace.input("claude-code-user-prompt-submit");
  const auto quiet = workspace.hook(input);
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_EQ(quiet.out + quiet.err, "");
  const auto said = workspace.hook(input, "claude-code", {{"KNAPSACK_LOG", "info"}});
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_THAT(said.err, HasSubstr("unknown key 'recal.max_tokens'"));
  workspace.folder().write("knapsack.toml", "");
  EXPECT_THAT(workspace.last_runs(1), HasSubstr("degraded"));
  EXPECT_THAT(run_program({"explain", "latest"}, workspace.folder().path()).out, HasSubstr("unknown key"));
}

TEST(HookScenario, ADamagedStoreStopsNobody) {
  const HookWorkspace workspace;
  ASSERT_NE(workspace.prompt_context("which port?"), "");
  for (const char* name : {".knapsack/raw.db-wal", ".knapsack/raw.db-shm"})
    std::filesystem::remove(workspace.folder().file(name));
  workspace.folder().write(".knapsack/raw.db",
                           "this is no database, but long enough " + std::string(5000, 'x'));
  EXPECT_NE(workspace.prompt_context("which database did we decide on?"), "")
      << "the answer is for the model";
  EXPECT_NE(workspace.prompt_context("which port?"), "") << "and the next one has a ledger again";
}

TEST(HookScenario, AFolderThatIsNoWorkspaceStaysAsItIs) {
  TemporaryFolder folder;
  for (const char* event : {"SessionStart", "UserPromptSubmit"}) {
    const nlohmann::json input = {
        {"hook_event_name", event}, {"session_id", "s"}, {"cwd", folder.path()}, {"prompt", "which port?"}};
    const auto result = run_program({"hook", "claude-code"}, "/", {{"HOME", folder.path()}}, input.dump());
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.out + result.err, "");
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(HookScenario, ADiskThatCannotBeWrittenStillAnswers) {
  const HookWorkspace workspace;
  workspace.folder().write(".knapsack", "a file where the state folder should be");
  const auto result = workspace.prompt("which database did we decide on?");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, HasSubstr("PostgreSQL"));
}

TEST(HookScenario, AFileThatTheClientNamesIsNeverRead) {
  const HookWorkspace workspace;
  ASSERT_EQ(::mkfifo(workspace.folder().file("transcript.jsonl").c_str(), 0600), 0);
  const auto input = workspace.input("claude-code-user-prompt-submit",
                                     {{"transcript_path", workspace.folder().file("transcript.jsonl")}});
  EXPECT_THAT(workspace.context(workspace.hook(input), "UserPromptSubmit"), HasSubstr("PostgreSQL"));
}

TEST(HookScenario, ManyAtOnceAllAnswer) {
  const HookWorkspace workspace;
  std::vector<std::thread> threads;
  std::vector<ProgramResult> results(6);
  for (size_t i = 0; i < results.size(); ++i) {
    threads.emplace_back([&, i] {
      results[i] = workspace.prompt("which database did we decide on?", "session " + std::to_string(i));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const ProgramResult& result : results) {
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(result.out, HasSubstr("PostgreSQL"));
  }
}

TEST(HookScenario, UnknownArgumentsOfAKnownClientAreNoReasonToFail) {
  const HookWorkspace workspace;
  const auto result = run_program({"hook", "claude-code", "--from-a-newer-version", "x"}, "/", {},
                                  workspace.input("claude-code-user-prompt-submit"));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("PostgreSQL"));
}

TEST(HookScenario, AnUnknownClientIsAnErrorThatRefusesNoPrompt) {
  const auto result = run_program({"hook", "nobody"}, "/");
  EXPECT_EQ(result.exit_code, 1) << "2 would mean: refuse the prompt";
  EXPECT_NE(result.err, "");
}

TEST(HookScenario, OpenClawGetsTextToPutBeforeThePrompt) {
  const HookWorkspace workspace;
  const auto result = workspace.hook(workspace.input("openclaw-before-agent-start"), "openclaw");
  EXPECT_EQ(result.exit_code, 0);
  const auto json = nlohmann::json::parse(result.out);
  ASSERT_EQ(json.size(), 1U);
  EXPECT_THAT(json["prependContext"].get<std::string>(), HasSubstr("PostgreSQL"));
  const auto flat = nlohmann::json{
      {"prompt", "which port?"}, {"sessionKey", "flat"}, {"workspaceDir", workspace.folder().path()}};
  EXPECT_THAT(workspace.hook(flat.dump(), "openclaw").out, HasSubstr("5432"));
  const auto other = nlohmann::json{{"hook", "agent_end"}, {"prompt", "which port?"}};
  EXPECT_EQ(workspace.hook(other.dump(), "openclaw").out, "");
}

}  // namespace
}  // namespace knapsack

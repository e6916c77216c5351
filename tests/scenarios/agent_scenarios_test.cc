// The program as a person meets it: real process, real files.
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/notes_fixture.h"
#include "support/support.h"

namespace knapsack {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::run_program;
using ::testing::StartsWith;
using testing::TemporaryFolder;

constexpr const char* kNow = "2026-11-15T08:00:00Z";

class AgentScenario : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write(".git/HEAD", "ref: refs/heads/main\n");
    folder_.write(".context/CONSTITUTION.md", "- [ ] Never lose a row\n");
    folder_.write(".context/TASKS.md", "- [ ] Resume the import #in-progress\n- [ ] Retry on 503\n");
    folder_.write(".context/DECISIONS.md",
                  "## [2026-11-10-101500] One transaction a batch\n\nSo that the import can resume.\n");
  }

  testing::ProgramResult run(std::vector<std::string> arguments,
                             const std::map<std::string, std::string>& environment = {}) {
    return run_program(arguments, folder_.path(), environment);
  }
  // One line on standard error, nothing on standard output.
  void expect_refusal(const std::vector<std::string>& arguments, int exit_code, const std::string& says) {
    SCOPED_TRACE(arguments.back());
    const auto result = run(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(says));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }

  TemporaryFolder folder_;
};

TEST_F(AgentScenario, PrintsTheWholeFolderWhenItFits) {
  const auto result = run({"agent", "--now", kNow});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              StartsWith("# Context Packet\n\nGenerated 2026-11-15T08:00:00Z | Budget 8000 | Used "));
  for (const char* part : {"## Read These Files (in order)\n\n- .context/CONSTITUTION.md",
                           "## Constitution (NEVER VIOLATE)\n\n- Never lose a row",
                           "## Current Tasks\n\n- [ ] Resume the import #in-progress",
                           "## Recent Decisions\n\n### [2026-11-10-101500] One transaction a batch"}) {
    EXPECT_THAT(result.out, HasSubstr(part));
  }
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out, run({"agent", "--now", kNow}).out);
}

TEST_F(AgentScenario, PrintsJsonWithEveryFieldAndNoNull) {
  const auto result = run({"agent", "--format", "json", "--now", kNow});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::ordered_json::parse(result.out);
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) {
    keys.push_back(key);
    EXPECT_FALSE(value.is_null()) << key;
  }
  EXPECT_EQ(keys, (std::vector<std::string>{"generated", "budget", "tokens_used", "over_budget", "read_order",
                                            "constitution", "tasks", "conventions", "decisions", "learnings",
                                            "summaries", "omitted_count", "instruction"}));
  EXPECT_EQ(json["tokens_used"], (result.out.size() + 3) / 4);
  EXPECT_TRUE(json["learnings"].is_array() && json["learnings"].empty());
}

TEST_F(AgentScenario, ExplainsWithoutCountingTheExplanation) {
  const auto plain = nlohmann::json::parse(run({"agent", "--format", "json", "--now", kNow}).out);
  const auto result = run({"agent", "--format", "json", "--explain", "--now", kNow});
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["tokens_used"], plain["tokens_used"]);
  ASSERT_EQ(json["entries"].size(), 3U);
  EXPECT_EQ(json["omitted"].size(), 0U);
  const auto& decision = json["entries"][2];
  EXPECT_EQ(decision["id"], "decision:2026-11-10-101500:one-transaction-a-batch");
  EXPECT_EQ(decision["form"], "full");
  EXPECT_EQ(decision["components"]["recency"], 1.0);
  EXPECT_NEAR(decision["components"]["relevance"].get<double>(), 2.0 / 3, 1e-9) << "resume, import";
}

TEST_F(AgentScenario, RefusesBadInputInOneLine) {
  expect_refusal({"agent", "--budget=-1"}, 2, "is negative; give a whole number of tokens");
  expect_refusal({"agent", "--budget", "99999999999999999999"}, 2, "is too large");
  expect_refusal({"agent", "--budget", "many"}, 2, "--budget 'many' is not a token budget");
  expect_refusal({"agent", "--budget", "8000.5"}, 2, "is not a token budget");
  expect_refusal({"agent", "--format", "xml"}, 2, "unknown format 'xml'; choose md, prompt or json");
  expect_refusal({"agent", "--tokenizer", "gpt5"}, 2, "o200k");
  expect_refusal({"agent", "--cooldown", "soon"}, 2, "--cooldown 'soon' is not a duration");
  expect_refusal({"agent", "--now", "yesterday"}, 2, "is not an RFC 3339 time");
  expect_refusal({"agent", "--workspace", "nowhere"}, 2, "knapsack: nowhere is not a folder");
  expect_refusal({"agent", "--context-dir", "nowhere"}, 1,
                 "there is no notes folder at nowhere; create one with `mkdir nowhere`");
  expect_refusal({"agent", "--context-dir", ".context/TASKS.md"}, 1, "is a regular file, not a folder");
  expect_refusal({"agent", "--wrong"}, 2, "see `knapsack agent --help`");
  expect_refusal({"bogus"}, 2, "see `knapsack --help`");
  expect_refusal({"explain"}, 1, "there are no runs yet");
  expect_refusal({"explain", "run-none"}, 1, "knapsack runs");
  expect_refusal({"prune", "--before", "someday"}, 2, "is not an RFC 3339 time");
  expect_refusal({"completions", "tcsh"}, 2, "choose bash, zsh or fish");
}

TEST_F(AgentScenario, PassesOverFifosAndLinksThatLeadOutWithoutHanging) {
  std::filesystem::remove(folder_.file(".context/TASKS.md"));
  ASSERT_EQ(::mkfifo(folder_.file(".context/TASKS.md").c_str(), 0600), 0);
  const auto passed_over = [&](const std::string& says) {
    const auto result = run({"agent"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out,
                ::testing::AllOf(HasSubstr("Never lose a row"), HasSubstr("## Not Read"), HasSubstr(says)));
    EXPECT_THAT(result.out, Not(HasSubstr("root")));
    EXPECT_EQ(run({"agent", "--strict"}).exit_code, 1);
  };
  passed_over(".context/TASKS.md is a FIFO");
  std::filesystem::remove(folder_.file(".context/TASKS.md"));
  std::filesystem::create_symlink("/etc/passwd", folder_.file(".context/TASKS.md"));
  passed_over("leads out of the notes folder");
  std::filesystem::remove_all(folder_.file(".context"));
  std::filesystem::create_symlink("/etc", folder_.file(".context"));
  expect_refusal({"agent"}, 1, ".context is a symbolic link, not a folder");
}

TEST_F(AgentScenario, StaysSilentWhileASessionCoolsDown) {
  const std::string hostile = "../../etc/passwd\n'; DROP TABLE runs; --";
  EXPECT_NE(run({"agent", "--session", hostile, "--now", kNow}).out, "");
  const auto silent = run({"agent", "--session", hostile, "--now", "2026-11-15T08:09:59Z"});
  EXPECT_EQ(silent.exit_code, 0);
  EXPECT_EQ(silent.out + silent.err, "");
  EXPECT_NE(run({"agent", "--session", "another", "--now", "2026-11-15T08:01:00Z"}).out, "");
  EXPECT_NE(run({"agent", "--session", hostile, "--cooldown", "0", "--now", "2026-11-15T08:01:00Z"}).out, "");
  EXPECT_NE(run({"agent", "--session", hostile, "--now", "2026-11-15T08:11:00Z"}).out, "");
  EXPECT_NE(run({"agent", "--session", hostile, "--now", "2026-11-14T08:00:00Z"}).out, "")
      << "a clock set back silences nobody";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.file(".knapsack"))) {
    EXPECT_THAT(entry.path().string(), Not(HasSubstr("passwd")));
  }
}

TEST_F(AgentScenario, TakesTheBudgetFromFlagThenEnvironmentThenRcThenDefault) {
  const auto budget = [&](std::vector<std::string> arguments,
                          const std::map<std::string, std::string>& environment) {
    arguments.insert(arguments.begin(), {"agent", "--format", "json"});
    return nlohmann::json::parse(run(arguments, environment).out)["budget"].get<int>();
  };
  EXPECT_EQ(budget({}, {}), 8000);
  folder_.write(".ctxrc", "token_budget: 3000\nsomething_else: {a: 1}\nagent_cooldown_minutes: 5\n");
  EXPECT_EQ(budget({}, {}), 3000);
  folder_.write("knapsack.toml", "[notes]\nbudget = 4000\n");
  EXPECT_EQ(budget({}, {}), 4000);
  EXPECT_EQ(budget({}, {{"CTX_TOKEN_BUDGET", "5000"}}), 5000);
  EXPECT_EQ(budget({"--budget", "6000"}, {{"CTX_TOKEN_BUDGET", "5000"}}), 6000);
  const auto config = run({"config"}, {{"CTX_TOKEN_BUDGET", "5000"}});
  EXPECT_THAT(config.out, ::testing::ContainsRegex("notes.budget +5000 +environment CTX_TOKEN_BUDGET"));
  EXPECT_THAT(config.out, ::testing::ContainsRegex("notes.cooldown +5 +.ctxrc"));
}

TEST_F(AgentScenario, RefusesBadConfigurationAndNamesTheNearestKey) {
  folder_.write("knapsack.toml", "[notes]\nbugdet = 4000\n");
  expect_refusal({"agent"}, 2, "knapsack.toml: unknown key 'notes.bugdet'; did you mean 'notes.budget'?");
  folder_.write("knapsack.toml", "[notes\n");
  expect_refusal({"agent"}, 2, "knapsack.toml line ");
  folder_.write("knapsack.toml", "[notes]\nbudget = \"lots\"\n");
  expect_refusal({"agent"}, 2, "notes.budget from knapsack.toml: 'lots' is not a token budget");
  folder_.write("knapsack.toml", "");
  folder_.write(".ctxrc", "task_budget_pct: 1.5\n");
  expect_refusal({"agent"}, 2, "is not a share");
  folder_.write(".ctxrc", "a: [unclosed\n");
  expect_refusal({"agent"}, 2, ".ctxrc line ");
}

TEST_F(AgentScenario, SetsADamagedLedgerAsideAndNeverOverwritesIt) {
  EXPECT_EQ(run({"agent", "--now", kNow}).exit_code, 0);
  const std::string damaged(8192, 'x');
  folder_.write(".knapsack/raw.db", damaged);
  std::filesystem::remove(folder_.file(".knapsack/raw.db-wal"));
  std::filesystem::remove(folder_.file(".knapsack/raw.db-shm"));
  const auto result = run({"agent", "--now", kNow});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("Never lose a row")) << "the answer does not wait for the ledger";
  EXPECT_THAT(result.err, HasSubstr("this run is not in the ledger"));
  EXPECT_THAT(result.err, HasSubstr("it was moved to"));
  bool kept = false;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.file(".knapsack"))) {
    const std::string name = entry.path().filename();
    if (name.starts_with("raw.db.damaged-")) kept = kept || folder_.read(".knapsack/" + name) == damaged;
  }
  EXPECT_TRUE(kept) << "the damaged bytes are still there, under another name";
  EXPECT_EQ(run({"agent", "--now", kNow}).exit_code, 0) << "the next run starts a new ledger";
}

TEST_F(AgentScenario, ADamagedLedgerCostsNoAnswer) {
  for (const auto& command : {std::vector<std::string>{"agent", "--session", "one"},
                              {"pack", "resume the import"},
                              {"search", "resume"},
                              {"status"}}) {
    for (const char* beside : {"-wal", "-shm"})
      std::filesystem::remove(folder_.file(std::string(".knapsack/raw.db") + beside));
    folder_.write(".knapsack/raw.db", std::string(8192, 'x'));
    const auto result = run(command);
    EXPECT_EQ(result.exit_code, 0) << command.front() << ": " << result.err;
    EXPECT_NE(result.out, "") << command.front();
    EXPECT_THAT(result.out + result.err, HasSubstr("raw.db.damaged-")) << command.front();
  }
}

TEST_F(AgentScenario, ExplainsEveryCandidateAndWhatIsMissing) {
  folder_.write(".context/LEARNINGS.md", "## [2026-11-01] Old ways\n\n~~Superseded by better ones~~\n\n" +
                                             std::string(400, 'y') + "\n\n## [2026-11-02] Long\n\n" +
                                             std::string(3000, 'z') + "\n");
  ASSERT_EQ(run({"agent", "--budget", "190", "--now", kNow}).exit_code, 0);
  const auto account = run({"explain", "latest"});
  for (const char* id :
       {"task:resume-the-import", "task:retry-on-503", "decision:2026-11-10-101500:one-transaction-a-batch",
        "learning:2026-11-01:old-ways", "learning:2026-11-02:long"}) {
    EXPECT_THAT(account.out, HasSubstr(id));
  }
  EXPECT_THAT(run({"explain", "latest", "--expect", "old-ways"}).out,
              HasSubstr("was dropped at stage rank: superseded"));
  EXPECT_THAT(run({"explain", "latest", "--expect", "learning:2026-11-02:long"}).out,
              HasSubstr("in full it needs 7"));
  EXPECT_THAT(run({"explain", "latest", "--expect", "nothing like it"}).out, HasSubstr("was never gathered"));
  EXPECT_THAT(run({"runs"}).out, HasSubstr("/ 190"));
  EXPECT_THAT(run({"status"}).out, HasSubstr("1 rule, 2 open tasks, 0 conventions, 1 decision, 2 learnings"));
  EXPECT_THAT(run({"prune", "--before", "2027-01-01"}).out, HasSubstr("1 run removed, 0 kept"));
  EXPECT_THAT(run({"runs"}).err, HasSubstr("no runs yet"));
}

TEST_F(AgentScenario, NumbersRepeatsOfTheSameRun) {
  run({"agent", "--now", kNow});
  run({"agent", "--now", kNow});
  const auto runs = run({"runs"}).out;
  const size_t first = runs.find("run-");
  ASSERT_NE(first, std::string::npos);
  const std::string id = runs.substr(first, 16);
  EXPECT_NE(runs.find(id, first + 1), std::string::npos)
      << "the same request on the same files is the same run";
  EXPECT_THAT(run({"explain", id}).out, HasSubstr("repeat 2"));
}

TEST_F(AgentScenario, KeepsItsStatePrivateAndOutOfGit) {
  run({"agent"});
  struct stat info {};
  ASSERT_EQ(::stat(folder_.file(".knapsack").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700U);
  ASSERT_EQ(::stat(folder_.file(".knapsack/raw.db").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
  EXPECT_EQ(folder_.read(".knapsack/.gitignore"), "*\n");
}

TEST_F(AgentScenario, RedactsSecretsAndSaysSo) {
  folder_.write(".context/LEARNINGS.md",
                "## [2026-11-01] Keys\n\nUse AKIAIOSFODNN7EXAMPLE and https://bob:hunter22@host/x\n");
  const auto result = run({"agent"});
  EXPECT_THAT(result.out, Not(HasSubstr("AKIAIOSFODNN7EXAMPLE")));
  EXPECT_THAT(result.out, Not(HasSubstr("hunter22")));
  EXPECT_THAT(result.out, HasSubstr("[redacted: AWS access key]"));
  EXPECT_THAT(result.err, HasSubstr("2 secrets"));
}

// A title is shortened, an id is made of it, keywords are taken from tasks: none of these may carry a secret
// on.
TEST_F(AgentScenario, LetsNoPartOfASecretIntoTitlesIdsKeywordsOrTheLedger) {
  const std::string secret = "ghp_" + std::string(18, 'q') + std::string(18, 'Z');
  folder_.write(".context/TASKS.md", "- [ ] " + std::string(80, 'x') + " " + secret +
                                         " rotate it #in-progress\n- [ ] " + secret + "\n");
  folder_.write(".context/CONVENTIONS.md", "- " + secret + " " + std::string(200, 'y') + "\n");
  folder_.write(".context/LEARNINGS.md", "## [2026-11-01] Token " + secret + "\n\nRotate " + secret + "\n");
  for (const char* budget : {"0", "150", "250", "8000"}) {
    for (const char* format : {"md", "json"}) {
      const auto result =
          run({"agent", "--budget", budget, "--format", format, "--explain", "--task", "use " + secret});
      EXPECT_EQ(result.exit_code, 0) << result.err;
      EXPECT_THAT(result.out, Not(HasSubstr("qqqq"))) << budget << ' ' << format;
      EXPECT_THAT(result.err, HasSubstr("5 secrets"));
      EXPECT_THAT(run({"explain", "latest"}).out, Not(HasSubstr("qqqq")));
    }
  }
  for (const char* file : {".knapsack/raw.db", ".knapsack/raw.db-wal"}) {
    EXPECT_THAT(folder_.read(file), Not(HasSubstr("qqqq"))) << file;
  }
}

TEST_F(AgentScenario, SaysAsMuchOfItsWorkAsItIsAsked) {
  folder_.write(".context/LEARNINGS.md", "## [2026-11-01] Keys\n\nUse AKIAIOSFODNN7EXAMPLE\n");
  const auto said = [&](const char* level) {
    const auto result = run({"agent", "--now", kNow, "--log-level", level});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.out, run({"agent", "--now", kNow}).out) << "the packet is the same at " << level;
    return result.err;
  };
  EXPECT_EQ(said("off"), "");
  EXPECT_EQ(said("error"), "");
  EXPECT_EQ(said("warning"), "knapsack: 1 secret in the notes was replaced by [redacted]\n");
  EXPECT_EQ(said("warning"), run({"agent", "--now", kNow}).err);
  const std::string info = said("info");
  EXPECT_THAT(
      info,
      HasSubstr(" info .context holds 1 rule, 2 open tasks, 0 conventions, 1 decision and 1 learning\n"));
  EXPECT_THAT(info, HasSubstr(" info recorded as run-"));
  EXPECT_THAT(info, Not(HasSubstr(" took ")));
  EXPECT_THAT(said("debug"), HasSubstr(" debug read took "));
  expect_refusal({"agent", "--log-level", "loud"}, 2, "unknown log level 'loud'; choose debug, info");
}

TEST_F(AgentScenario, KeepsAnEntryFromOpeningASectionOrAFence) {
  folder_.write(".context/LEARNINGS.md", "## [2026-11-01] Sly\n\n# Context Packet\n\n```\nnever closed\n");
  const auto result = run({"agent"});
  EXPECT_THAT(result.out, HasSubstr("\n> # Context Packet\n>\n> ```\n> never closed\n"));
}

TEST_F(AgentScenario, WorksFromASubfolderAndInAReadOnlyPlace) {
  folder_.write("src/deep/file.c", "int x;\n");
  const auto result = run_program({"agent", "--now", kNow}, folder_.file("src/deep"));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Never lose a row"));
}

TEST_F(AgentScenario, TeachesItsUse) {
  const auto help = run({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* command : {"agent", "runs", "explain", "prune", "config", "status", "completions"}) {
    EXPECT_THAT(help.out, HasSubstr(command));
    EXPECT_EQ(run({command, "--help"}).exit_code, 0);
  }
  EXPECT_THAT(run({}).out, HasSubstr("`knapsack --help` lists every command."));
  EXPECT_THAT(run({"--version"}).out, StartsWith("knapsack 0."));
  EXPECT_THAT(run({"completions", "bash"}).out, HasSubstr("--context-dir"));
  EXPECT_THAT(run({"completions", "fish"}).out, HasSubstr("-l context-dir"));
  EXPECT_THAT(run({"completions", "zsh"}).out, HasSubstr("bashcompinit"));
  EXPECT_THAT(run({"agent", "--stats"}).err, HasSubstr("ms  pack"));
}

TEST_F(AgentScenario, TurnsADegradedAnswerIntoAFailureWhenAskedTo) {
  std::filesystem::create_symlink("TASKS.md", folder_.file(".context/LEARNINGS.md"));
  const auto lenient = run({"agent"});
  EXPECT_EQ(lenient.exit_code, 0);
  EXPECT_THAT(lenient.err, HasSubstr("was not followed"));
  EXPECT_EQ(run({"agent", "--strict"}).exit_code, 1);
}

TEST_F(AgentScenario, FailsPlainlyWhenItsOutputCannotBeWritten) {
  // /dev/full refuses every write; the shell only redirects.
  const std::string command = std::string(KNAPSACK_PROGRAM) + " agent --workspace " + folder_.path() +
                              " > /dev/full 2> " + folder_.file("err");
  EXPECT_NE(std::system(command.c_str()), 0);
  EXPECT_THAT(folder_.read("err"), HasSubstr("cannot write to standard output"));
}

TEST(LargeFolder, IsAnsweredInWellUnderASecond) {
  TemporaryFolder folder;
  for (const auto& [name, bytes] : testing::make_large_notes().files) folder.write(".context/" + name, bytes);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(run_program({"agent"}, folder.path()).exit_code, 0);
  // bench/agent_time.py has the real figure; this only catches a change that makes it another order of
  // magnitude.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

}  // namespace
}  // namespace knapsack

// `knapsack doctor`: a workspace broken in each way, and what it says to do about it.
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/repository_git.h"
#include "support/support.h"

namespace knapsack {
namespace {

using namespace knapsack::testing;
using ::testing::HasSubstr;
using ::testing::Not;

class DoctorScenario : public ::testing::Test {
 protected:
  void SetUp() override {
    repository_.write("a.py", "def f():\n    return 1\n");
    repository_.commit("all");
  }
  ProgramResult doctor(const std::vector<std::string>& more = {},
                       const std::map<std::string, std::string>& environment = {}) const {
    std::vector<std::string> arguments = {"doctor"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, repository_.path(), environment);
  }
  // The finding of an area with this in its text: how bad it is and what to do, "health: fix".
  std::string finding(const std::string& area, const std::string& what,
                      const std::map<std::string, std::string>& environment = {}) const {
    const auto result = doctor({"--format", "json"}, environment);
    const auto report = nlohmann::json::parse(result.out, nullptr, false);
    if (!report.is_object()) return "no report: " + result.err;
    EXPECT_EQ(result.exit_code, report["broken"].get<bool>() ? 1 : 0);
    for (const auto& each : report["findings"]) {
      if (each["area"] == area && each["what"].get<std::string>().find(what) != std::string::npos)
        return each["health"].get<std::string>() + ": " + each["fix"].get<std::string>();
    }
    return "not found in " + result.out;
  }
  void index() const { ASSERT_EQ(run_program({"index"}, repository_.path()).exit_code, 0); }

  TestRepository repository_;
};

TEST_F(DoctorScenario, AWorkspaceInOrderHasOnlyOkLinesAndNotes) {
  index();
  repository_.write(".context/CONSTITUTION.md", "# Constitution\n\n- A rule\n");
  const auto result = doctor();
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("found by .knapsack"));
  EXPECT_THAT(result.out, HasSubstr("0 broken, 0 to look at"));
  EXPECT_THAT(result.out, Not(HasSubstr("warning ")));
}

TEST_F(DoctorScenario, NoWorkspaceIsSaid) {
  TemporaryFolder folder;
  const auto result = run_program({"doctor"}, folder.path());
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("is only the current folder"));
  EXPECT_THAT(result.out, HasSubstr("`knapsack init` writes knapsack.toml"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "looking creates nothing";
}

TEST_F(DoctorScenario, AShallowClone) {
  repository_.write("b.py", "x = 1\n");
  repository_.commit("more");
  TemporaryFolder elsewhere;
  repository_.git({"clone", "-q", "--depth", "1", "file://" + repository_.path(), elsewhere.file("clone")});
  const auto result = run_program({"doctor"}, elsewhere.file("clone"));
  EXPECT_THAT(result.out, HasSubstr("the clone is shallow"));
  EXPECT_THAT(result.out, HasSubstr("fix: `git fetch --unshallow`"));
}

TEST_F(DoctorScenario, ABareRepository) {
  TemporaryFolder elsewhere;
  repository_.git({"clone", "-q", "--bare", repository_.path(), elsewhere.file("bare.git")});
  const auto result = run_program({"doctor", "--workspace", elsewhere.file("bare.git")}, elsewhere.path());
  EXPECT_THAT(result.out, HasSubstr("the repository is bare"));
}

TEST_F(DoctorScenario, ABrokenRepository) {
  repository_.write(".git/HEAD", "nonsense\n");
  EXPECT_THAT(finding("git", ""), HasSubstr("broken: "));
}

TEST_F(DoctorScenario, AnIndexThatIsMissingStaleOrDamaged) {
  EXPECT_EQ(finding("code", "there is no code index yet"), "note: run `knapsack index`");
  index();
  repository_.write("a.py", "def f():\n    return 2000\n");
  EXPECT_THAT(finding("code", "1 file changed since"), HasSubstr("warning: run `knapsack index`"));
  repository_.write(".knapsack/curated.db", std::string(20'000, 'x'));
  EXPECT_THAT(finding("code", ""), HasSubstr("broken: "));
  EXPECT_EQ(doctor().exit_code, 1);
}

TEST_F(DoctorScenario, AnIndexOfAnotherVersion) {
  index();
  const auto changed = run_command(
      {"sqlite3", repository_.file(".knapsack/curated.db"), "PRAGMA user_version=9999;"}, repository_.path());
  ASSERT_EQ(changed.exit_code, 0) << changed.err;
  EXPECT_THAT(finding("code", "another version"), HasSubstr("broken: run `knapsack index`"));
}

TEST_F(DoctorScenario, ALedgerThatCannotBeRead) {
  repository_.write(".knapsack/raw.db", std::string(20'000, 'x'));
  EXPECT_THAT(finding("ledger", ""), HasSubstr("broken: "));
}

TEST_F(DoctorScenario, SettingsThatAreWrong) {
  repository_.write("knapsack.toml", "[pack]\nbudgett = 1\n");
  EXPECT_THAT(finding("settings", "unknown key 'pack.budgett'"), HasSubstr("did you mean 'pack.budget'?"));
  EXPECT_EQ(doctor().exit_code, 1);
}

TEST_F(DoctorScenario, NotesThatAreMissingOrOff) {
  EXPECT_THAT(finding("notes", "there is no notes folder"), HasSubstr("CONSTITUTION.md"));
  repository_.write(".context/TASKS.md", "# Tasks\n\n- [ ] one\n");
  EXPECT_THAT(finding("notes", "there are no constitution rules"), HasSubstr("note: "));
  std::filesystem::create_symlink("/etc/passwd", repository_.file(".context/CONVENTIONS.md"));
  EXPECT_EQ(finding("notes", "CONVENTIONS.md is a symbolic link that leads out"),
            "warning: put plain files in their place");
  std::filesystem::remove(repository_.file(".context/CONVENTIONS.md"));
  ASSERT_EQ(::mkfifo(repository_.file(".context/DECISIONS.md").c_str(), 0600), 0);
  EXPECT_THAT(finding("notes", "DECISIONS.md"), HasSubstr("warning: "));
}

TEST_F(DoctorScenario, MemoriesThatCannotBeRead) {
  repository_.write("knapsack.toml", "[memory]\ndir = \"m\"\n");
  repository_.write("m/facts/2026-11-01/bad.md", "---\nid: [unclosed\n---\ntext\n");
  EXPECT_EQ(finding("memory", "bad.md"), "warning: correct or remove these files");
}

TEST_F(DoctorScenario, AGraphWithALineThatIsNoNode) {
  ASSERT_EQ(run_program({"graph", "init"}, repository_.path()).exit_code, 0);
  std::string name;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(repository_.file("graphs")))
    if (entry.path().extension() == ".jsonl" &&
        entry.path().filename().string().find("commit") == std::string::npos)
      name = entry.path().string();
  ASSERT_NE(name, "");
  repository_.write(std::filesystem::relative(name, repository_.path()).string(), "this is not JSON\n");
  EXPECT_THAT(finding("graph", ""), HasSubstr(": "));
  EXPECT_EQ(doctor().exit_code, 1);
  EXPECT_THAT(doctor().out, HasSubstr("`knapsack graph validate` lists all"));
}

TEST_F(DoctorScenario, AClientThatStartsAProgramThatIsNotThere) {
  ASSERT_EQ(run_program({"init", "--client", "all"}, repository_.path()).exit_code, 0);
  for (const char* client : {"claude-code", "cursor", "codex", "vscode", "opencode"})
    EXPECT_THAT(finding(client, "starts knapsack, which is not on PATH"),
                HasSubstr("broken: install it there"))
        << client;
  const std::string folder = std::filesystem::path(KNAPSACK_PROGRAM).parent_path().string();
  const std::map<std::string, std::string> on_path = {{"PATH", "/usr/bin:/bin:" + folder}};
  EXPECT_EQ(finding("claude-code", ".claude/settings.json starts knapsack", on_path), "ok: ");
  EXPECT_EQ(finding("codex", ".codex/config.toml starts knapsack", on_path), "ok: ");
  EXPECT_EQ(doctor({}, on_path).exit_code, 0);
  repository_.write(".mcp.json", R"({"mcpServers": {"k": {"command": "/no/such/knapsack"}}})");
  EXPECT_THAT(finding("claude-code", "/no/such/knapsack, which is not there", on_path),
              HasSubstr("broken: "));
  repository_.write(".mcp.json", "{");
  EXPECT_THAT(finding("claude-code", ".mcp.json:1:2", on_path), HasSubstr("warning: "));
}

TEST_F(DoctorScenario, AModelThatDoesNotAnswer) {
  const auto result = doctor({"--base-url", "http://127.0.0.1:9"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("http://127.0.0.1:9 does not answer"));
  EXPECT_EQ(doctor({"--base-url", "nonsense"}).exit_code, 1);
}

TEST_F(DoctorScenario, TheTextHasAFixUnderEachProblem) {
  repository_.write("knapsack.toml", "oops\n");
  const auto result = doctor();
  EXPECT_THAT(result.out, HasSubstr("broken   settings"));
  EXPECT_THAT(result.out, HasSubstr("fix: correct it or remove it"));
  EXPECT_THAT(result.out, HasSubstr("1 broken, "));
}

}  // namespace
}  // namespace knapsack

// Memories through the program: what is written, refused, listed and shown, by one process and by several.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <random>
#include <set>

#include "scenarios/support_index_program.h"

namespace knapsack {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Outcome;
using testing::ProgramResult;
using testing::run_measured;
using testing::RunningProgram;

class MemoryScenario : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_.file(".git")); }

  ProgramResult run(const std::vector<std::string>& arguments, const std::string& input = "") {
    return testing::run_program(arguments, folder_.path(), {}, input);
  }
  json remember(const std::string& text, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"remember", text, "--format", "json"});
    const auto result = run(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }
  json list(std::vector<std::string> more = {}) {
    more.insert(more.begin(),
                {"memories", "list", "--format", "json", "--limit", "100000", "--status", "all", "--copies"});
    const auto result = run(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }
  // Every file of the tree, but for what is in the making.
  std::vector<std::string> files() {
    std::vector<std::string> paths;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(folder_.file(".local/share/knapsack/memory"))) {
      if (entry.is_regular_file() && entry.path().extension() == ".md") paths.push_back(entry.path());
    }
    return paths;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(MemoryScenario, AMemoryLivesFromRememberingToPurging) {
  const json kept = remember("We decided to keep the ledger in SQLite", {"--tags", "ledger, storage"});
  const std::string id = kept["id"];
  EXPECT_EQ(kept["category"], "decision");
  EXPECT_TRUE(folder_.exists(kept["path"])) << "the path is one that somebody in the workspace can open";

  const auto again = run({"remember", "we decided to keep the LEDGER in sqlite."});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.err, AllOf(HasSubstr(id), HasSubstr("says the same already")));
  EXPECT_THAT(again.out, IsEmpty());

  EXPECT_THAT(run({"memories"}).out, HasSubstr("We decided to keep the ledger in SQLite"));
  EXPECT_EQ(list({"--tag", "storage"})["matching"], 2) << "the memory and its word-for-word copy";
  EXPECT_EQ(json::parse(run({"memories", "show", id, "--format", "json"}).out)["text"],
            "We decided to keep the ledger in SQLite");
  EXPECT_THAT(run({"feedback", id, "--not-useful"}).out, HasSubstr("0 useful, 1 not useful"));
  EXPECT_EQ(run({"feedback", id}).exit_code, 2);
  EXPECT_EQ(run({"forget", id}).exit_code, 0);
  EXPECT_EQ(json::parse(run({"memories", "show", id, "--format", "json"}).out)["status"], "forgotten");
  EXPECT_EQ(run({"forget", id, "--purge"}).exit_code, 0);
  EXPECT_EQ(list()["all"], 0);
  const auto missing = run({"memories", "show", id});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.err, HasSubstr("there is no memory " + id));
}

TEST_F(MemoryScenario, WhatIsPurgedIsNowhereInTheStateFolder) {
  remember("Nothing secret here");
  const json kept = remember("The zyzzyva password is wibblewobble");
  list();
  ASSERT_EQ(run({"forget", kept["id"].get<std::string>(), "--purge"}).exit_code, 0);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.file(".knapsack"))) {
    if (!entry.is_regular_file()) continue;
    const std::string bytes = folder_.read(std::filesystem::relative(entry.path(), folder_.path()).string());
    EXPECT_THAT(bytes, Not(HasSubstr("wibblewobble"))) << entry.path();
  }
  EXPECT_EQ(list()["all"], 1);
}

TEST_F(MemoryScenario, AnEditedMemoryIsSeenByTheNextCommand) {
  const json kept = remember("The importer is slow");
  const std::string path = kept["path"];
  const std::string before = folder_.read(path);
  folder_.write(path, before + "It reads every manifest twice.\n");
  EXPECT_THAT(run({"memories", "show", kept["id"].get<std::string>()}).out,
              HasSubstr("It reads every manifest twice."));
}

TEST_F(MemoryScenario, NamespacesAreKeptApartAndSharedIsEverybodys) {
  remember("Mine alone");
  remember("Of work", {"--namespace", "work"});
  remember("For everybody", {"--namespace", "shared"});
  EXPECT_EQ(list()["all"], 2);
  EXPECT_EQ(list({"--namespace", "work"})["all"], 2);
  EXPECT_EQ(list({"--namespace", "work,default"})["all"], 3);
  folder_.write("knapsack.toml", "[memory]\nshared = false\n");
  EXPECT_EQ(list({"--namespace", "work"})["all"], 1);
  for (const char* name : {"../x", "Work", "", "a/b", ".."}) {
    const auto refused = run({"remember", "x", "--namespace=" + std::string(name)});
    if (*name != '\0') {
      EXPECT_EQ(refused.exit_code, 2) << name;
      EXPECT_THAT(refused.err, HasSubstr("is not a valid namespace")) << name;
    }
  }
}

TEST_F(MemoryScenario, TheFolderComesFromFlagEnvironmentFileOrHome) {
  folder_.write(".openclaw/workspace/memory/local/facts/a.md", "From home");
  EXPECT_EQ(list()["memories"][0]["title"], "From home") << "the tests' home is the workspace";
  folder_.write("mine/facts/a.md", "From the file");
  folder_.write("knapsack.toml", "[memory]\ndir = \"mine\"\n");
  EXPECT_EQ(list()["memories"][0]["title"], "From the file");
  folder_.write("other/facts/a.md", "From the flag");
  EXPECT_EQ(list({"--memory-dir", "other"})["memories"][0]["title"], "From the flag");
  const auto by_environment = testing::run_program({"memories", "list", "--format", "json"}, folder_.path(),
                                                   {{"KNAPSACK_MEMORY_DIR", "other"}});
  EXPECT_EQ(json::parse(by_environment.out)["memories"][0]["title"], "From the flag");
}

TEST_F(MemoryScenario, ALinkThatARepositoryBringsIsRefused) {
  folder_.write("private/facts/a.md", "Private");
  std::filesystem::create_directory_symlink("private", folder_.file("memories"));
  folder_.write("knapsack.toml", "[memory]\ndir = \"memories\"\n");
  const auto refused = run({"memories", "list"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("is a symbolic link, not a folder"));
  EXPECT_EQ(run({"memories", "list", "--memory-dir", "memories"}).exit_code, 0) << "a user may mean it";
}

TEST_F(MemoryScenario, OddFilesAreReportedAndTheRestIsUsed) {
  const std::string tree = ".knapsack/memory/";
  folder_.write(tree + "facts/2026-11-15/good.md", "A good one");
  folder_.write(tree + "facts/2026-11-15/broken.md", "---\nid: [x\n---\nStill text");
  folder_.write(tree + "facts/2026-11-15/large.md", std::string(10 << 20, 'x'));
  folder_.write(tree + "facts/2026-11-15/odd\x01\xFFname\n.md", "An odd name");
  folder_.write("outside/secret.md", "Not ours");
  std::filesystem::create_directory_symlink(folder_.file("outside"), folder_.file(tree + "entities"));
  ASSERT_EQ(::mkfifo(folder_.file(tree + "facts/fifo.md").c_str(), 0600), 0);
  const auto result = run({"memories", "list"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("A good one"), HasSubstr("An odd name"), Not(HasSubstr("Not ours")),
                                HasSubstr("3 of 3 memories")));
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("broken.md: the front matter is broken"), HasSubstr("large.md is passed over"),
                    HasSubstr("entities is passed over: it is a symbolic link"),
                    HasSubstr("fifo.md is passed over")));
  EXPECT_EQ(result.out.find('\x01'), std::string::npos) << "nothing drives the terminal";
}

TEST_F(MemoryScenario, TheProfileIsShownAsItWasWritten) {
  EXPECT_THAT(run({"profile"}).err, HasSubstr("there is no profile yet"));
  ASSERT_EQ(run({"profile", "edit", "-"}, "# Profile\n\n- Likes short answers.\n").exit_code, 0);
  EXPECT_EQ(run({"profile", "show"}).out, "# Profile\n\n- Likes short answers.\n");
  const auto edited = testing::run_program({"profile", "edit"}, folder_.path(),
                                           {{"EDITOR", "printf -- '- Works at night.\\n' | tee -a"}});
  EXPECT_EQ(edited.exit_code, 0) << edited.err;
  EXPECT_THAT(run({"profile"}).out, HasSubstr("- Likes short answers.\n- Works at night.\n"));
  EXPECT_EQ(run({"profile", "edit"}).exit_code, 2) << "no editor";
}

TEST_F(MemoryScenario, ReadsFromStandardInputAndRefusesNonsense) {
  const auto piped = run({"remember", "-"}, "From a pipe\n");
  EXPECT_EQ(piped.exit_code, 0) << piped.err;
  EXPECT_EQ(list()["memories"][0]["title"], "From a pipe");
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"remember", "  "},
                                             {"remember", "x", "--category", "opinion"},
                                             {"remember", "x", "--confidence", "2"},
                                             {"remember", "x", "--importance", "much"},
                                             {"memories", "list", "--status", "lost"},
                                             {"memories", "list", "--category", "opinion"}}) {
    const auto refused = run(arguments);
    EXPECT_EQ(refused.exit_code, 2) << arguments[0] << " " << arguments[1];
    EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
  }
}

TEST_F(MemoryScenario, EightProcessesRememberAtOnceAndNothingIsLostOrDoubled) {
  constexpr int kProcesses = 8, kRounds = 6;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::unique_ptr<RunningProgram>> running;
    for (int p = 0; p < kProcesses; ++p) {
      running.push_back(std::make_unique<RunningProgram>(
          std::vector<std::string>{"remember", fmt::format("Number {} of process {}", round, p)},
          folder_.path()));
      running.push_back(std::make_unique<RunningProgram>(
          std::vector<std::string>{"remember", fmt::format("Everybody says {}", round)}, folder_.path()));
    }
    int first_to_say = 0;
    for (size_t i = 0; i < running.size(); ++i) {
      const Outcome outcome = running[i]->finish();
      if (i % 2 == 0) {
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
      } else if (outcome.exit_code == 0) {
        ++first_to_say;
      } else {
        EXPECT_THAT(outcome.err, HasSubstr("says the same already"));
      }
    }
    EXPECT_EQ(first_to_say, 1);
  }
  std::set<std::string> titles;
  const json all = list();
  for (const json& row : all["memories"]) titles.insert(row["title"]);
  EXPECT_EQ(all["all"], kRounds * (kProcesses + 1));
  EXPECT_EQ(titles.size(), static_cast<size_t>(kRounds * (kProcesses + 1)));
  EXPECT_THAT(all["warnings"], IsEmpty());
}

TEST_F(MemoryScenario, KilledAtAnyMomentRememberLosesNothingAcknowledgedAndLeavesNoHalf) {
  const int kills = 250 / testing::cases_divisor();
  const Outcome whole = run_measured({"remember", "The first"}, folder_.path());
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  const auto longest = static_cast<unsigned>(whole.seconds * 1.3e6) + 2000;
  std::mt19937 random(17);
  std::set<std::string> acknowledged = {"The first"};
  int written_in_time = 0;
  for (int i = 0; i < kills; ++i) {
    const std::string text = fmt::format("We decided number {}", i);
    RunningProgram program({"remember", text}, folder_.path());
    ::usleep(random() % longest);
    program.kill_now();
    if (program.finish().out.find("importance") != std::string::npos) {
      acknowledged.insert(text);
      ++written_in_time;
    }
  }
  EXPECT_GT(written_in_time, 0) << "every kill came before the end";
  EXPECT_LT(written_in_time, kills) << "every kill came after it";
  const json all = list();
  EXPECT_THAT(all["warnings"], IsEmpty()) << all["warnings"].dump();
  std::multiset<std::string> notes;
  for (const json& row : all["memories"]) {
    if (row["kind"] == "note") notes.insert(row["title"]);
  }
  for (const std::string& text : acknowledged) EXPECT_EQ(notes.count(text), 1U) << text;
  for (const std::string& path : files()) {
    const std::string bytes = folder_.read(std::filesystem::relative(path, folder_.path()).string());
    EXPECT_TRUE(bytes.starts_with("---\nid: ") && bytes.ends_with("\n")) << path << "\n" << bytes;
  }
}

}  // namespace
}  // namespace knapsack

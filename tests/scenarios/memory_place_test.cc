// Where memories live: not where anybody deletes a cache, and what was there is brought over without a loss.
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
using ::testing::Not;
using testing::Outcome;
using testing::ProgramResult;
using testing::RunningProgram;
using ::testing::StartsWith;
namespace fs = std::filesystem;

class MemoryPlaceScenario : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_.file("work/.git"));
    fs::create_directory(folder_.file("home"));
  }
  std::string work() const { return folder_.file("work"); }
  ProgramResult run(const std::vector<std::string>& arguments,
                    const std::map<std::string, std::string>& environment = {}) {
    std::map<std::string, std::string> all = {{"HOME", folder_.file("home")}};
    all.insert(environment.begin(), environment.end());
    return testing::run_program(arguments, work(), all);
  }
  std::string remembered_path(const std::string& text,
                              const std::map<std::string, std::string>& environment = {}) {
    const auto result = run({"remember", text, "--format", "json"}, environment);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false).value("path", "");
  }
  void put_former(int count) {
    for (int i = 0; i < count; ++i) {
      folder_.write(
          fmt::format("work/.knapsack/memory/facts/2026-10-{:02}/fact-{}.md", 1 + i % 28, i),
          fmt::format("---\nid: fact-{0}\ncreated: 2026-10-01T10:00:00Z\n---\nThe number {0} is remembered\n",
                      i));
    }
    folder_.write("work/.knapsack/memory/profile.md", "# Profile\n\n- Likes short answers\n");
  }

  testing::TemporaryFolder folder_;
};

TEST_F(MemoryPlaceScenario, MemoriesGoToTheUsersDataFolderAndSurviveTheCache) {
  const std::string path = remembered_path("The ledger is kept in SQLite");
  EXPECT_THAT(path, StartsWith(folder_.file("home/.local/share/knapsack/memory/work-")));
  fs::remove_all(folder_.file("work/.knapsack"));
  EXPECT_THAT(run({"recall", "where is the ledger kept?"}).out, HasSubstr("SQLite"));
  EXPECT_THAT(remembered_path("The importer is written in Go", {{"XDG_DATA_HOME", folder_.file("data")}}),
              StartsWith(folder_.file("data/knapsack/memory/work-")));

  fs::create_directories(folder_.file("other/work/.git"));
  const auto elsewhere = testing::run_program({"memories", "list"}, folder_.file("other/work"),
                                              {{"HOME", folder_.file("home")}});
  EXPECT_THAT(elsewhere.out, HasSubstr("0 of 0 memories")) << "each workspace has its own";
}

TEST_F(MemoryPlaceScenario, AMemoryFolderOfTheWorkspaceComesFirstAndCodeOfThatNameDoesNot) {
  folder_.write("work/memory/allocator.cc", "int main() {}\n");
  EXPECT_THAT(remembered_path("The ledger is kept in SQLite"), StartsWith(folder_.file("home/")));
  fs::remove_all(folder_.file("work/memory"));
  folder_.write("work/memory/facts/2026-10-01/a.md", "Deploys go out on Tuesdays\n");
  EXPECT_THAT(remembered_path("The importer is written in Go"), StartsWith("memory/facts/"));
  const auto doctor = run({"doctor"});
  EXPECT_THAT(doctor.out, AllOf(HasSubstr("memory (of the workspace): 2 memories"), HasSubstr("1 memory in"),
                                HasSubstr("`knapsack memories move ")));
  const std::string data = fs::directory_iterator(folder_.file("home/.local/share/knapsack/memory"))->path();
  EXPECT_THAT(run({"memories", "move", data}).out, HasSubstr("moved to memory"));
  EXPECT_THAT(run({"memories", "list"}).out, AllOf(HasSubstr("SQLite"), HasSubstr("3 of 3")));
  EXPECT_EQ(run({"memories", "move", "no-such-folder"}).exit_code, 1);
}

TEST_F(MemoryPlaceScenario, StatusAndDoctorSayWhere) {
  EXPECT_THAT(run({"status"}).out,
              AllOf(HasSubstr("writes the first, to " + folder_.file("home/.local/share")),
                    HasSubstr("(in your data folder)")));
  remembered_path("The ledger is kept in SQLite");
  const std::string where = folder_.file("home/.local/share/knapsack/memory/work-");
  EXPECT_THAT(run({"status"}).out, AllOf(HasSubstr(where), HasSubstr("(in your data folder): 1 memory\n")));
  EXPECT_THAT(run({"doctor"}).out, AllOf(HasSubstr(where), HasSubstr("(in your data folder): 1 memory")));
  // The workspace moves: its memories are named where they are missed.
  fs::rename(work(), folder_.file("moved"));
  fs::create_directories(folder_.file("work/.git"));
  const auto moved =
      testing::run_program({"doctor"}, folder_.file("moved"), {{"HOME", folder_.file("home")}});
  EXPECT_THAT(moved.out, Not(HasSubstr("which no longer exists")));
  fs::remove_all(work());
  const auto lost = testing::run_program({"doctor"}, folder_.file("moved"), {{"HOME", folder_.file("home")}});
  EXPECT_THAT(lost.out, AllOf(HasSubstr("contains memories of " + work() + ", which no longer exists"),
                              HasSubstr(where)));
}

TEST_F(MemoryPlaceScenario, WhatWasInTheStateFolderIsBroughtOverByTheNextCommand) {
  put_former(30);
  const auto listed = run({"memories", "list", "--limit", "100"});
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("30 of 30 memories in " + folder_.file("home/.local/share")));
  EXPECT_THAT(listed.err, HasSubstr("memories were moved from"));
  EXPECT_FALSE(folder_.exists("work/.knapsack/memory"));
  EXPECT_THAT(run({"profile", "show"}).out, HasSubstr("Likes short answers"));
  EXPECT_EQ(run({"memories", "list"}).err, "") << "said once";
}

// Whoever wrote the repository would speak with the user's own voice, in every workspace of that name.
TEST_F(MemoryPlaceScenario, WhatCameWithTheRepositoryIsNotBroughtOver) {
  const testing::TestRepository repository;
  repository.write(".knapsack/memory/facts/2026-10-01/host.md", "Deploys go to another host\n");
  repository.git({"add", "-f", ".knapsack/memory"});
  const auto run_there = [&](const std::vector<std::string>& arguments) {
    return testing::run_program(arguments, repository.path(), {{"HOME", folder_.file("home")}});
  };
  const auto listed = run_there({"memories", "list"});
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("0 of 0 memories"));
  EXPECT_THAT(listed.err, HasSubstr("came with the repository and is not read: `knapsack memories move "));
  EXPECT_TRUE(repository.folder().exists(".knapsack/memory/facts/2026-10-01/host.md"));
  EXPECT_THAT(run_there({"memories", "move", ".knapsack/memory"}).out, HasSubstr("moved to"));
  EXPECT_THAT(run_there({"memories", "list"}).out, HasSubstr("Deploys go to another host"));
}

TEST_F(MemoryPlaceScenario, WhereItCannotBeBroughtOverItIsReadWhereItIs) {
  put_former(3);
  folder_.write("home/.local", "a file in the way\n");
  const auto listed = run({"memories", "list"});
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("3 of 3 memories"));
  EXPECT_THAT(listed.err, HasSubstr("memories stay in"));
  EXPECT_TRUE(folder_.exists("work/.knapsack/memory/profile.md"));
}

TEST_F(MemoryPlaceScenario, ANamedFolderIsLeftWhereItIs) {
  put_former(3);
  EXPECT_THAT(run({"memories", "list", "--memory-dir", ".knapsack/memory"}).out,
              HasSubstr("3 of 3 memories"));
  EXPECT_TRUE(folder_.exists("work/.knapsack/memory/profile.md"));
}

// Into a folder that has memories already, where files go one by one.
TEST_F(MemoryPlaceScenario, KilledAtAnyMomentTheMoveLosesNothing) {
  constexpr int kMemories = 60;
  const int kills = 30 / testing::cases_divisor();
  std::mt19937 random(23);
  double whole = 0;
  int died_within = 0;
  for (int i = -1; i < kills; ++i) {
    fs::remove_all(folder_.file("work"));
    fs::create_directories(folder_.file("work/.git"));
    folder_.write("work/memory/facts/2026-09-01/known.md", "Known before\n");
    put_former(kMemories);
    RunningProgram program({"memories", "list"}, work());
    if (i >= 0) {
      ::usleep(random() % (static_cast<unsigned>(whole * 1.1e6) + 1000));
      program.kill_now();
    }
    const Outcome outcome = program.finish();
    if (i < 0) {
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
      whole = outcome.seconds;
    }
    const bool some = folder_.exists("work/memory/facts/2026-10-01/fact-0.md");
    if (some && folder_.exists("work/.knapsack/memory/profile.md")) ++died_within;
    const auto after =
        testing::run_program({"memories", "list", "--limit", "1000", "--format", "json"}, work());
    ASSERT_EQ(after.exit_code, 0) << after.err;
    std::multiset<std::string> titles;
    const json all = json::parse(after.out);
    for (const json& row : all["memories"]) titles.insert(row["title"]);
    EXPECT_EQ(titles.size(), static_cast<size_t>(kMemories + 1));
    for (int number = 0; number < kMemories; ++number)
      ASSERT_EQ(titles.count(fmt::format("The number {} is remembered", number)), 1U);
    EXPECT_FALSE(folder_.exists("work/.knapsack/memory"));
    EXPECT_FALSE(folder_.exists("work/memory/archive")) << "nothing was taken for something else";
  }
  EXPECT_GT(died_within, 0) << "no kill came within the move";
}

}  // namespace
}  // namespace knapsack

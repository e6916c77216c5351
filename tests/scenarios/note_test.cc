// `knapsack note` as people run it.
#include <filesystem>

#include "support/support.h"

namespace knapsack {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ProgramResult;

class NoteScenario : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_.file(".git")); }
  ProgramResult run(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.end(), {"--now", "2026-11-15T08:00:00Z"});
    return testing::run_program(arguments, folder_.path(), {}, input);
  }
  testing::TemporaryFolder folder_;
};

TEST_F(NoteScenario, WhatIsNotedIsInTheNextPacket) {
  EXPECT_THAT(run({"note", "add", "task", "Retry", "a", "carrier", "that", "answers", "503"}).out,
              HasSubstr("noted as a task in .context/TASKS.md"));
  EXPECT_EQ(run({"note", "add", "decision", "-"},
                "One transaction a batch\nA row without its offset is imported twice.\n")
                .exit_code,
            0);
  EXPECT_EQ(run({"note", "add", "learning", "-"},
                "A retry keeps its request id\nThe carrier answers from its cache.\n")
                .exit_code,
            0);
  EXPECT_EQ(run({"note", "add", "convention", "Times are UTC"}).exit_code, 0);
  EXPECT_THAT(run({"agent"}).out,
              AllOf(HasSubstr("Retry a carrier that answers 503"), HasSubstr("One transaction a batch"),
                    HasSubstr("A row without its offset"), HasSubstr("A retry keeps its request id"),
                    HasSubstr("Times are UTC")));
  EXPECT_THAT(run({"note", "done", "carrier", "503"}).out,
              HasSubstr("done: Retry a carrier that answers 503"));
  EXPECT_THAT(run({"agent"}).out, Not(HasSubstr("Retry a carrier")));
}

TEST_F(NoteScenario, WhatIsOverGoesToTheArchiveAndNoOtherByteChanges) {
  folder_.write(".context/TASKS.md", "# Tasks\n\nSome words.\n\n- [x] Old one\n- [ ] New one\n");
  folder_.write(".context/DECISIONS.md",
                "## [2026-01-01] A\n\n**Status**: Superseded\n\n## [2026-02-01] B\n\nHolds.\n");
  EXPECT_THAT(run({"note", "archive"}).out,
              HasSubstr("1 finished task and 1 superseded decision moved to .context/archive"));
  EXPECT_EQ(folder_.read(".context/TASKS.md"), "# Tasks\n\nSome words.\n\n- [ ] New one\n");
  EXPECT_EQ(folder_.read(".context/archive/TASKS.md"), "- [x] Old one\n");
  EXPECT_EQ(folder_.read(".context/DECISIONS.md"), "## [2026-02-01] B\n\nHolds.\n");
  EXPECT_THAT(folder_.read(".context/archive/DECISIONS.md"), HasSubstr("Superseded"));
  EXPECT_THAT(run({"note", "archive"}).out, HasSubstr("0 finished tasks and 0 superseded decisions"));
}

TEST_F(NoteScenario, PagesThatOthersMayReadStaySo) {
  namespace fs = std::filesystem;
  folder_.write(".context/TASKS.md", "- [ ] One\n");
  const auto mode = static_cast<fs::perms>(0644);
  fs::permissions(folder_.file(".context/TASKS.md"), mode);
  EXPECT_EQ(run({"note", "add", "task", "Two"}).exit_code, 0);
  EXPECT_THAT(folder_.read(".context/TASKS.md"), HasSubstr("Two"));
  EXPECT_EQ(fs::status(folder_.file(".context/TASKS.md")).permissions(), mode);
}

TEST_F(NoteScenario, OverTheirShareTheNewestTasksStayWhole) {
  std::string tasks;
  for (int day = 10; day < 28; ++day)
    tasks += "- [ ] Task of day " + std::to_string(day) + " #added:2026-10-" + std::to_string(day) +
             "\n  Details of day " + std::to_string(day) + " " + std::string(200, 'x') + "\n";
  folder_.write(".context/TASKS.md", tasks);
  folder_.write(".context/LEARNINGS.md", "## [2026-11-01] Long\n\n" + std::string(6000, 'y') + "\n");
  const std::string out = run({"agent", "--budget", "700"}).out;
  EXPECT_THAT(out, AllOf(HasSubstr("Details of day 27"), HasSubstr("Details of day 26"),
                         Not(HasSubstr("Details of day 10"))));
  EXPECT_LT(out.find("Task of day 26"), out.find("Task of day 27")) << "shown in the order of the file";
}

TEST_F(NoteScenario, OverTheirShareTheFirstConventionsStayWhole) {
  std::string conventions;
  for (int i = 10; i < 40; ++i)
    conventions += "- Convention " + std::to_string(i) + "\n  because of reason " + std::to_string(i) + " " +
                   std::string(150, 'x') + "\n";
  folder_.write(".context/CONVENTIONS.md", conventions);
  folder_.write(".context/DECISIONS.md", "## [2026-11-01] Long\n\n" + std::string(6000, 'y') + "\n");
  const std::string out = run({"agent", "--budget", "700"}).out;
  EXPECT_THAT(out, AllOf(HasSubstr("because of reason 10"), Not(HasSubstr("because of reason 39"))));
}

TEST_F(NoteScenario, LinesThatAreNotNotesAreToldByThePacketByDoctorAndByStrict) {
  folder_.write(".context/TASKS.md", "# Tasks\n\nWhat we do this month.\n\n- [ ] One\n");
  const char* line = ".context/TASKS.md line 3: not recognised as tasks";
  const auto packet = run({"agent"});
  EXPECT_THAT(packet.out, AllOf(HasSubstr("One"), HasSubstr(line)));
  EXPECT_EQ(packet.exit_code, 0);
  EXPECT_EQ(run({"agent", "--strict"}).exit_code, 1);
  EXPECT_THAT(run({"pack", "do", "one"}).out, HasSubstr(line));
  EXPECT_EQ(run({"pack", "do", "one", "--strict"}).exit_code, 1);
  EXPECT_THAT(run({"doctor"}).out, HasSubstr(line));
  folder_.write(".context/TASKS.md", "# Tasks\n\n- [ ] One\n");
  EXPECT_EQ(run({"agent", "--strict"}).exit_code, 0);
}

TEST_F(NoteScenario, DoctorNudgesAboutWhatHasGrownRepeatsOrIsGone) {
  folder_.write(".context/CONVENTIONS.md",
                "- Times are UTC\n- The rate limit is 100\n- times are utc!\n- The rate limit is 500 now\n");
  folder_.write(".context/DECISIONS.md", "## [2026-01-01] Clock\n\nSee `src/clock.py` and `src/kept.py`.\n");
  folder_.write(".context/LEARNINGS.md", "## [2026-01-01] Long\n\n" + std::string(40'000, 'x') + "\n");
  folder_.write("src/kept.py", "x = 1\n");
  EXPECT_THAT(
      run({"doctor"}).out,
      AllOf(HasSubstr("CONVENTIONS.md line 3 says what CONVENTIONS.md line 1 says"),
            HasSubstr("CONVENTIONS.md line 2 and CONVENTIONS.md line 4"), HasSubstr("speaks of src/clock.py"),
            Not(HasSubstr("src/kept.py")), HasSubstr("LEARNINGS.md has 39 kB")));
}

TEST_F(NoteScenario, BadUsageIsOneLine) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"note", "add", "opinion", "x"}, {"note", "add", "task", " "}, {"note"}}) {
    const auto refused = run(arguments);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
  }
  EXPECT_EQ(run({"note", "done", "nothing"}).exit_code, 1);
}

constexpr const char* kNotedToken = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

TEST_F(NoteScenario, ATaskThatIsDoneIsToldWithoutItsSecretsAndWithoutControlCharacters) {
  folder_.write(".context/TASKS.md",
                std::string("- [ ] rotate ") + kNotedToken + "\n- [ ] look at \x1b[31m it\n");
  const auto done = run({"note", "done", "rotate"});
  EXPECT_THAT(done.out, AllOf(HasSubstr("done: rotate [redacted"), Not(HasSubstr(kNotedToken))));
  EXPECT_THAT(done.err, HasSubstr("1 secret in the task was replaced"));
  EXPECT_THAT(folder_.read(".context/TASKS.md"), HasSubstr(std::string("- [x] rotate ") + kNotedToken))
      << "the page itself keeps every byte";
  EXPECT_THAT(run({"note", "done", "look"}).out, HasSubstr("done: look at \\x1b[31m it\n"));
}

TEST_F(NoteScenario, TasksBetweenWhichNobodyChoseAreNamedWithoutTheirSecrets) {
  // The title of the second is cut in the middle of its secret.
  folder_.write(".context/TASKS.md", std::string("- [ ] rotate ") + kNotedToken + "\n- [ ] rotate " +
                                         std::string(60, 'x') + "=" + kNotedToken + " soon\n");
  const auto result = run({"note", "done", "rotate"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("2 open tasks"), HasSubstr("rotate [redacted"), Not(HasSubstr("ghp_"))));
}

TEST_F(NoteScenario, WhatIsRefusedOrChangesNothingLeavesNoFolder) {
  for (const auto& [arguments, exit_code] :
       std::vector<std::pair<std::vector<std::string>, int>>{{{"note", "add", "foo", "bar"}, 2},
                                                             {{"note", "add", "task", " "}, 2},
                                                             {{"note", "done", "bar"}, 1},
                                                             {{"note", "archive"}, 0}}) {
    EXPECT_EQ(run(arguments).exit_code, exit_code) << arguments[2];
    EXPECT_FALSE(folder_.exists(".context")) << arguments.back();
  }
  EXPECT_EQ(run({"note", "add", "task", "One"}).exit_code, 0);
  EXPECT_TRUE(folder_.exists(".context/TASKS.md"));
}

}  // namespace
}  // namespace knapsack

// The work in the background: killed, stopped and held at any moment, and a model that goes away under it. It costs time
// and meaning, never an answer.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <random>
#include <thread>

#include "scenarios/support_index_program.h"
#include "support/support.h"

namespace knapsack {
namespace {

namespace fs = std::filesystem;
using namespace knapsack::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kQuestion[] = "How are letters sent to people?";

class MeaningKilled : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write("knapsack.toml", "");
    for (int i = 0; i < 40; ++i) {
      const std::string number = std::to_string(i);
      folder_.write("module" + number + ".py", "def step_" + number + "(value):\n    return value * " +
                                                   number + " + sum(range(" + number + "))\n");
      folder_.write("memory/facts/2026-11-01/memory" + number + ".md",
                    "---\nid: memory" + number + "\ncreated: 2026-11-01T10:00:00Z\n---\nParcel " + number +
                        " has arrived at the harbour.\n");
    }
    folder_.write("postman.py",
                  "def deliver(letter, recipient):\n    return smtp.sendmail(letter, recipient)\n");
    const auto indexed = run_program({"index"}, folder_.path());
    ASSERT_EQ(indexed.exit_code, 0) << indexed.err;
  }

  std::string answer(const std::vector<std::string>& arguments) const {
    const auto result = run_program(arguments, folder_.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
  void expect_answers() const {
    EXPECT_THAT(answer({"search", "step_7", "--source", "code"}), HasSubstr("module7.py"));
    EXPECT_THAT(answer({"recall", "Parcel 7"}), HasSubstr("Parcel 7 "));
  }
  std::string search() const { return answer({"search", kQuestion, "--source", "code", "--format", "json"}); }
  void forget_vectors() const { fs::remove_all(folder_.file(".knapsack/vectors")); }
  bool any_vector() const {
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.file(".knapsack/vectors"), none)) {
      if (entry.path().extension() == ".vectors") return true;
    }
    return false;
  }

  TemporaryFolder folder_;
};

TEST_F(MeaningKilled, AtRandomMomentsLosesNothingThatWasWritten) {
  const Outcome whole = run_measured({"embed"}, folder_.path());
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  ASSERT_THAT(whole.out, HasSubstr("82 of 82 files of code have vectors"));
  const std::string expected = search();
  ASSERT_THAT(expected, HasSubstr("postman.py"));
  forget_vectors();
  std::mt19937 random(20261116);
  const int rounds = 40 / cases_divisor();
  int killed = 0;
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    if (round % 8 == 7) forget_vectors();
    RunningProgram program({"embed"}, folder_.path());
    ::usleep(static_cast<useconds_t>(std::uniform_real_distribution<>(0, whole.seconds)(random) * 1e6));
    program.kill_now();
    killed += program.finish().exit_code == 128 + SIGKILL ? 1 : 0;
    if (round % 5 == 0) expect_answers();
  }
  EXPECT_GT(killed, 0);
  // A memory folder gets files of its own meanwhile; all that was there has its vectors.
  EXPECT_THAT(answer({"embed"}), AllOf(HasSubstr("40 of 40 memories"), HasSubstr("82 of 8")));
  EXPECT_THAT(search(), HasSubstr("postman.py"));
}

TEST_F(MeaningKilled, StopsWhenAskedAndKeepsWhatItMade) {
  RunningProgram program({"embed"}, folder_.path());
  for (int i = 0; i < 10'000 && !fs::exists(folder_.file(".knapsack/vectors/embedding.lock")); ++i)
    ::usleep(1'000);
  ::kill(program.process(), SIGTERM);
  EXPECT_EQ(program.finish().exit_code, 0);
  EXPECT_THAT(answer({"embed"}), HasSubstr("40 of 40 memories have a vector"));
}

// Whatever it holds at the moment, nobody who answers or writes needs it.
TEST_F(MeaningKilled, HoldsNoLockThatAnAnswerNeeds) {
  std::mt19937 random(7);
  for (int round = 0; round < 8; ++round) {
    SCOPED_TRACE(round);
    forget_vectors();
    RunningProgram program({"embed"}, folder_.path());
    ::usleep(std::uniform_int_distribution<useconds_t>(10'000, 600'000)(random));
    ::kill(program.process(), SIGSTOP);
    expect_answers();
    answer({"pack", kQuestion});
    answer({"index", "--full"});
    answer({"remember", "Held at round " + std::to_string(round)});
    ::kill(program.process(), SIGCONT);
    EXPECT_EQ(program.finish().exit_code, 0);
  }
}

// A program of its own with its own copy of the model.
TEST_F(MeaningKilled, AModelThatIsCutWhileItIsReadEndsNothingButMeaning) {
  const TemporaryFolder own;
  fs::create_directories(own.file("bin"));
  fs::create_directories(own.file("share/knapsack"));
  const std::string program = own.file("bin/knapsack");
  const std::string model = own.file("share/knapsack/e5-small-v2.model");
  fs::copy(KNAPSACK_PROGRAM, program);
  fs::copy(KNAPSACK_MODEL_FILE, model);
  ProgramResult embedded;
  std::thread running([&] {
    embedded = run_command({program, "embed"}, folder_.path(), {{"KNAPSACK_BACKGROUND", "off"}});
  });
  for (int i = 0; i < 10'000 && !fs::exists(folder_.file(".knapsack/vectors/embedding.lock")); ++i)
    ::usleep(1'000);
  fs::resize_file(model, 4'096);
  running.join();
  EXPECT_EQ(embedded.exit_code, 1) << embedded.out;
  EXPECT_THAT(embedded.err, HasSubstr("model file"));
  const auto found = run_command({program, "search", "step_7", "--source", "code"}, folder_.path(),
                                 {{"KNAPSACK_BACKGROUND", "off"}});
  EXPECT_EQ(found.exit_code, 0);
  EXPECT_THAT(found.out, HasSubstr("module7.py"));
  EXPECT_THAT(found.err, HasSubstr("e5-small-v2.model"));
}

}  // namespace
}  // namespace knapsack

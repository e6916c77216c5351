// `knapsack eval` as people run it: on their own repository, with bad input, and killed half way.
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "code/index/curated_writer.h"
#include "code/index/indexer.h"
#include "scenarios/support_index_program.h"

namespace knapsack {
namespace {

using namespace knapsack::testing;
using ::testing::HasSubstr;

class EvalScenario : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 30; ++i) {
      const std::string number = std::to_string(i);
      repository_.write("src/part" + number + ".py", "def part" + number + "():\n    return 0\n");
    }
    repository_.commit("Begin");
    for (int i = 0; i < 12; ++i) {
      const std::string number = std::to_string(i);
      repository_.write("src/part" + number + ".py", "def part" + number + "():\n    return 1\n");
      repository_.commit("Correct part" + number);
    }
  }
  std::vector<std::string> arguments(const std::string& out) const {
    return {"eval", "--from-git", "12", "--work", work_.file("work"), "--out", work_.file(out), "-j", "1"};
  }
  nlohmann::json report(const std::string& name) const { return nlohmann::json::parse(work_.read(name)); }

  TestRepository repository_;
  TemporaryFolder work_;
};

TEST_F(EvalScenario, OneCommandMeasuresARepositoryOnItsOwnCommits) {
  const auto result = run_program(arguments("report.json"), repository_.path());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("# Evaluation: 12 tasks"));
  EXPECT_EQ(report("report.json")["methods"]["full"]["overall"]["hit@1"]["value"], 1.0);
  EXPECT_FALSE(std::filesystem::exists(repository_.file(".knapsack")));
}

TEST_F(EvalScenario, ARunThatWasKilledGoesOnWhereItStopped) {
  ASSERT_EQ(run_program(arguments("whole.json"), repository_.path()).exit_code, 0);
  std::filesystem::remove_all(work_.file("work"));
  {
    RunningProgram running(arguments("report.json"), repository_.path());
    // The first answer, not only the file that it goes into.
    const auto answered = [&] {
      return work_.exists("report.json.answers.jsonl") &&
             work_.read("report.json.answers.jsonl").find('\n') != std::string::npos;
    };
    while (running.running() && !answered()) ::usleep(500);
    running.kill_now();
    running.finish();
  }
  ASSERT_FALSE(work_.exists("report.json")) << "it was too fast to be killed";
  const auto result = run_program(arguments("report.json"), repository_.path());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_GE(report("report.json")["reused"], 1);
  EXPECT_EQ(report("report.json")["methods"]["full"]["overall"],
            report("whole.json")["methods"]["full"]["overall"]);
}

TEST_F(EvalScenario, AWorkFolderOfOlderRulesIsLearntAnew) {
  ASSERT_EQ(run_program(arguments("report.json"), repository_.path()).exit_code, 0);
  std::vector<std::string> states;
  for (const auto& each : std::filesystem::recursive_directory_iterator(work_.file("work")))
    if (each.path().filename() == "curated.db") states.push_back(each.path().parent_path());
  ASSERT_EQ(states.size(), 1U);
  const auto files = make_disk_file_system();
  {
    auto writer = code::CuratedWriter::open(*files, states[0], {});
    ASSERT_OK(writer);
    ASSERT_OK(writer->transaction([&] { return writer->set_meta("facts version", "older"); }));
  }
  EXPECT_TRUE(code::is_outdated(*files, states[0]));
  ASSERT_EQ(run_program(arguments("again.json"), repository_.path()).exit_code, 0);
  EXPECT_FALSE(code::is_outdated(*files, states[0]));
  EXPECT_EQ(report("again.json")["methods"]["full"]["overall"],
            report("report.json")["methods"]["full"]["overall"]);
}

TEST_F(EvalScenario, BadInputIsNamedWithItsLineAndExitsWithTwo) {
  work_.write("tasks.jsonl", "{\"id\": \"a\"}\n");
  const auto bad_row = run_program({"eval", work_.file("tasks.jsonl")}, repository_.path());
  EXPECT_EQ(bad_row.exit_code, 2);
  EXPECT_THAT(bad_row.err, HasSubstr("tasks.jsonl line 1: \"repo\" is missing"));
  EXPECT_EQ(bad_row.out, "");
  const auto neither = run_program({"eval"}, repository_.path());
  EXPECT_EQ(neither.exit_code, 2);
  EXPECT_THAT(neither.err, HasSubstr("--from-git N"));
  const auto constant = run_program({"eval", "--from-git", "2", "--set", "title"}, repository_.path());
  EXPECT_EQ(constant.exit_code, 2);
  EXPECT_THAT(constant.err, HasSubstr("is not NAME=NUMBER"));
  const auto missing = run_program({"eval", work_.file("none.jsonl")}, repository_.path());
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.err, HasSubstr("none.jsonl"));
}

}  // namespace
}  // namespace knapsack

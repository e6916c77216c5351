// What the ledger keeps of indexing and of retrieval, and what prune removes with it.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/support_workspace.h"

namespace knapsack {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::RetrievalWorkspace;

class LedgerOfCode : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_.folder().write("app/cart.py", "def total(items):\n    return sum(items)\n");
    workspace_.folder().write("logo.png", std::string("\x89PNG\r\n\x1a\n\0\0\0", 11));
    workspace_.index();
  }
  RetrievalWorkspace workspace_;
};

TEST_F(LedgerOfCode, AnIndexRunIsARow) {
  auto runs = workspace_.ledger()->list_index_runs(10);
  ASSERT_OK(runs);
  ASSERT_EQ(runs->size(), 1U);
  const IndexRun& run = runs->front();
  EXPECT_EQ(run.outcome, "complete");
  EXPECT_EQ(run.snapshot, "work tree");
  EXPECT_EQ(run.files_seen, 2);
  EXPECT_EQ(run.files_parsed, 1);
  EXPECT_EQ(run.files_skipped, 1);
  EXPECT_GT(run.duration_micros, 0);
  EXPECT_EQ(nlohmann::json::parse(run.details_json).at("languages").at("python"), 1);
}

TEST_F(LedgerOfCode, ARefreshIsARowWhereItFoundSomethingNew) {
  RetrieveRequest request = RetrievalWorkspace::request("fix total", 2000);
  request.refresh = true;
  workspace_.retrieve(request);
  EXPECT_EQ(workspace_.ledger()->list_index_runs(10)->size(), 1U) << "everything was as it was";
  workspace_.folder().write("app/rates.py", "def rate():\n    return 1\n");
  workspace_.retrieve(request);
  ASSERT_EQ(workspace_.ledger()->list_index_runs(10)->size(), 2U);
  EXPECT_EQ(workspace_.ledger()->list_index_runs(10)->front().files_parsed, 1);
}

TEST_F(LedgerOfCode, ARunThatWasStoppedIsARow) {
  workspace_.folder().write("app/rates.py", "def rate():\n    return 1\n");
  std::stop_source stop;
  stop.request_stop();
  IndexOptions options;
  options.stop = stop.get_token();
  EXPECT_FALSE(workspace_.engine().index(options).ok());
  EXPECT_EQ(workspace_.ledger()->list_index_runs(10)->front().outcome, "stopped");
}

TEST_F(LedgerOfCode, TheTaskIsThereAsItWasRead) {
  const RetrieveReply reply = workspace_.retrieve(
      RetrievalWorkspace::request("fix `total` in app/cart.py:2\n\nTypeError: unsupported operand", 2000));
  const auto rows = workspace_.ledger()->decisions_of(*reply.run);
  ASSERT_OK(rows);
  ASSERT_FALSE(rows->empty());
  const Decision& task = rows->front();
  EXPECT_EQ(task.stage, "understand");
  EXPECT_EQ(task.candidate_id, "task");
  EXPECT_EQ(task.title, "bug_fix");
  const auto read = nlohmann::json::parse(task.components_json);
  EXPECT_EQ(read.at("paths"), nlohmann::json::array({"app/cart.py:2"}));
  EXPECT_THAT(read.at("symbols").dump(), HasSubstr("total"));
  EXPECT_THAT(read.at("errors").dump(), HasSubstr("TypeError"));
}

// Whoever adds them up finds the score that the part was ranked by.
TEST_F(LedgerOfCode, ThePartsOfAScoreMakeUpTheScore) {
  const RetrieveReply reply =
      workspace_.retrieve(RetrievalWorkspace::request("fix `total` in app/cart.py", 2000));
  const auto rows = workspace_.ledger()->decisions_of(*reply.run);
  ASSERT_OK(rows);
  size_t parts = 0;
  for (const Decision& row : *rows) {
    const auto components = nlohmann::json::parse(row.components_json);
    if (row.stage != "precision" || components.empty()) continue;
    double sum = 0;
    for (const auto& [name, value] : components.items()) sum += value.get<double>();
    EXPECT_NEAR(sum, row.score, 1e-6) << row.candidate_id;
    ++parts;
  }
  EXPECT_GT(parts, 0U);
}

TEST_F(LedgerOfCode, PruneRemovesTheSessionsOfPrunedRunsAndNoOthers) {
  const auto session = [&](const std::string& id) {
    return std::filesystem::exists(workspace_.folder().file(".knapsack/sessions/" + id + ".db"));
  };
  RetrieveRequest request = RetrievalWorkspace::request("fix total", 2000);
  request.task_id = "old";
  workspace_.retrieve(request);
  // A session whose retrieval never came to its end has no run.
  std::filesystem::copy_file(workspace_.folder().file(".knapsack/sessions/old.db"),
                             workspace_.folder().file(".knapsack/sessions/unfinished.db"));
  ASSERT_TRUE(session("old"));
  auto report = workspace_.engine().prune(*parse_rfc3339("2026-11-15T07:00:00Z"));
  ASSERT_OK(report);
  EXPECT_EQ(report->sessions_removed, 0);
  EXPECT_TRUE(session("old"));
  report = workspace_.engine().prune(*parse_rfc3339("2026-11-16T00:00:00Z"));
  ASSERT_OK(report);
  EXPECT_EQ(report->runs_removed, 1);
  EXPECT_EQ(report->sessions_removed, 1);
  EXPECT_FALSE(session("old"));
  EXPECT_TRUE(session("unfinished"));
}

}  // namespace
}  // namespace knapsack

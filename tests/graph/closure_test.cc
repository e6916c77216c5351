// Tasks come with what they wait for, whoever wrote it down, within the cap.
#include <chrono>

#include "graph/support_graph.h"
#include "support/support.h"

namespace knapsack {
namespace {

using testing::entry;
using testing::GraphWorkspace;
using testing::ids;
using ::testing::UnorderedElementsAre;

std::string task(int number) {
  return "TG-TASK-" + std::to_string(number);
}

TEST(TaskClosure, FollowsDependenciesAndBlockersInBothDirections) {
  GraphWorkspace work;
  work.add({{"id", task(1)}, {"dependencies", {task(2)}}, {"status", "ready"}});
  work.add({{"id", task(2)}, {"status", "backlog"}});
  work.add({{"id", task(3)}, {"blocks", {task(2)}}, {"status", "backlog"}});
  work.add({{"id", task(4)}, {"blocks", {task(1)}}, {"status", "done"}});
  work.add({{"id", task(5)}, {"dependencies", {task(1)}}, {"status", "backlog"}});
  work.add({{"id", task(6)}, {"dependencies", {task(5)}}, {"status", "backlog"}});
  const auto pack = work.pack("do TG-TASK-1");
  EXPECT_THAT(ids(pack["task_snapshot"]), UnorderedElementsAre(task(1), task(2), task(3), task(4), task(5)))
      << "6 waits for a task that only waits";
  const auto why = [&](int number) { return entry(pack["task_snapshot"], task(number))["why"].back(); };
  EXPECT_EQ(why(2), "a dependency of TG-TASK-1");
  EXPECT_EQ(why(3), "blocks TG-TASK-2");
  EXPECT_EQ(why(4), "blocks TG-TASK-1");
  EXPECT_EQ(why(5), "waits for TG-TASK-1");
  EXPECT_EQ(entry(pack["task_snapshot"], task(2))["components"]["selected_task"], 4);
}

TEST(TaskClosure, TakesTheNearestFirstAndOpenTasksBeforeFinishedOnes) {
  GraphWorkspace work;
  work.add({{"id", task(1)}, {"dependencies", {task(2), task(3), task(4)}}, {"status", "ready"}});
  work.add({{"id", task(2)}, {"status", "done"}, {"dependencies", {task(5)}}, {"tags", {"risk"}}});
  work.add({{"id", task(3)}, {"status", "backlog"}});
  work.add({{"id", task(4)}, {"status", "backlog"}, {"tags", {"risk"}}});
  work.add({{"id", task(5)}, {"status", "in_progress"}});
  const auto chosen = [&](const char* cap) {
    return ids(work.pack("do TG-TASK-1", {{"graph.max_tasks", cap}})["task_snapshot"]);
  };
  EXPECT_THAT(chosen("1"), UnorderedElementsAre(task(1)));
  EXPECT_THAT(chosen("2"), UnorderedElementsAre(task(1), task(4)));
  EXPECT_THAT(chosen("3"), UnorderedElementsAre(task(1), task(4), task(3)));
  EXPECT_THAT(chosen("4"), UnorderedElementsAre(task(1), task(4), task(3), task(2)));
  EXPECT_THAT(chosen("5"), UnorderedElementsAre(task(1), task(4), task(3), task(2), task(5)));
}

TEST(TaskClosure, EndsOnCycles) {
  GraphWorkspace work;
  for (int i = 0; i < 50; ++i) {
    work.add(
        {{"id", task(i)}, {"dependencies", {task((i + 1) % 50), task(i)}}, {"blocks", {task((i + 7) % 50)}}});
  }
  const auto pack = work.pack("do TG-TASK-0");
  EXPECT_EQ(pack["task_snapshot"].size(), 15U);
  EXPECT_EQ(work.pack("do TG-TASK-0", {{"graph.max_tasks", "1000"}})["task_snapshot"].size(), 50U);
}

TEST(TaskClosure, OfTenThousandTasksInAChainStarAndCycleKeepsTheCapAndIsQuick) {
  for (const int shape : {0, 1, 2}) {
    GraphWorkspace work;
    std::string lines;
    constexpr int kTasks = 10'000;
    for (int i = 0; i < kTasks; ++i) {
      nlohmann::json node = {{"id", task(i)}, {"type", "task"},      {"title", "Step"},
                             {"rev", 1},      {"status", "backlog"}, {"updated_at", "2026-01-01T00:00:00Z"}};
      if (shape == 0 && i + 1 < kTasks) node["dependencies"] = {task(i + 1)};
      if (shape == 1 && i > 0) node["blocks"] = {task(0)};
      if (shape == 2) node["dependencies"] = {task((i + 1) % kTasks), task((i + kTasks / 2) % kTasks)};
      lines += node.dump() + "\n";
    }
    lines.pop_back();
    work.add_line("tg_nodes.jsonl", lines);
    const auto began = std::chrono::steady_clock::now();
    const auto pack = work.pack("do TG-TASK-0");
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    EXPECT_EQ(pack["task_snapshot"].size(), 15U) << shape;
    EXPECT_EQ(ids(pack["task_snapshot"]).front(), task(0)) << shape;
    EXPECT_LT(seconds, 2.0 * testing::cases_divisor()) << shape << ": something quadratic";
    if (shape == 0) {
      EXPECT_NE(entry(pack["task_snapshot"], task(14)), nullptr) << "fourteen steps down the chain";
    }
  }
}

}  // namespace
}  // namespace knapsack

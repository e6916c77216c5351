// More budget never shows less: what is whole at one budget is whole at every larger one.
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "code/rank/file_ranking.h"
#include "engine/eval/eval_packet.h"
#include "engine/support_workspace.h"
#include "store/state_folder.h"
#include "understand/task_analysis.h"

namespace knapsack {
namespace {

using testing::RetrievalWorkspace;

const std::vector<std::string> kTasks = {
    "fix src/stages/judge.cc: opinions get lost",
    "the fence of code in markdown must be longer than any run of backticks",
    "why does `StageContext` lose bytes of paths?",
    "`Packer::upgrade` loops for ever when a frame is freed",
    "add a stage that reranks files by age",
    "context_from_json refuses \"a stored stage cannot be read\"",
    "the prompt renderer must escape quotes in attributes",
    "a larger limit shows the first item poorer",
};

bool holds_all(const std::vector<std::string>& larger, const std::vector<std::string>& smaller) {
  return std::all_of(smaller.begin(), smaller.end(), [&](const std::string& id) {
    return std::find(larger.begin(), larger.end(), id) != larger.end();
  });
}

TEST(MoreBudget, NeverLosesWhatWasWholeInTwoThousandRandomPairs) {
  RetrievalWorkspace workspace;
  workspace.copy_source({"src/stages", "src/packet"});
  workspace.index();
  const auto files = make_disk_file_system();
  auto index = code::CodeIndex::open(*files, state_folder_of(workspace.folder().path()), code::kWorkTree);
  ASSERT_OK(index);
  std::vector<PacketTrial> trials;
  for (const std::string& text : kTasks) {
    const TaskQuery task = analyze_task(text);
    const auto ranked = code::rank_files(**index, task);
    ASSERT_OK(ranked);
    auto trial = PacketTrial::prepare(*files, workspace.folder().path(), **index, task, *ranked, {});
    ASSERT_OK(trial);
    trials.push_back(*std::move(trial));
  }
  std::mt19937 random(20261116);
  const auto pick = [&](uint64_t low, uint64_t high) {
    return std::uniform_int_distribution<uint64_t>(low, high)(random);
  };
  size_t grown = 0;
  for (int n = 0; n < 2000 / testing::cases_divisor(); ++n) {
    const size_t task = pick(0, trials.size() - 1);
    const bool fill = n % 16 == 0;  // many more units take part, and each costs time
    const uint64_t smaller = n % 2 == 0 ? pick(50, 2000) : pick(500, 20'000);
    const uint64_t larger = smaller + (n % 3 == 0 ? pick(1, 60) : pick(1, smaller));
    const auto before = trials[task].pack(smaller, fill);
    const auto after = trials[task].pack(larger, fill);
    ASSERT_OK(before);
    ASSERT_OK(after);
    ASSERT_TRUE(holds_all(after->whole_units, before->whole_units))
        << fmt::format("{} at {} and {}{}", kTasks[task], smaller, larger, fill ? ", filled" : "");
    grown += after->whole_units.size() > before->whole_units.size() ? 1 : 0;
  }
  EXPECT_GT(grown, 200U / testing::cases_divisor()) << "budgets must differ enough to say anything";
}

}  // namespace
}  // namespace knapsack

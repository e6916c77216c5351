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
    "packing crashes\n\n#0 0x4f in knapsack::Packer::run() /home/u/src/packet/packer.cc:60:3\n"
    "#1 0x5f in knapsack::stages::sort_into_tiers() /home/u/src/stages/symbol_tiers.cc:300:3\n",
    "it stops at src/stages/precision.cc:120",
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

// What is behind the usual end takes part too: a function that the task calls by its name, and a field by its own line.
TEST(MoreBudget, NeverLosesWhatIsShownForItsNameAlone) {
  RetrievalWorkspace workspace;
  std::string named = "def settle_invoice(invoice, rows):\n    # settles every invoice of the ledger\n";
  for (int i = 0; i < 30; ++i) named += fmt::format("    rows = settle_invoice_row_{}(rows, invoice)\n", i);
  std::string called = "class Rounding:\n    precision = 2\n\n    def round_half(self, amount):\n";
  for (int i = 0; i < 25; ++i) called += fmt::format("        amount = amount.step_{}()\n", i);
  workspace.folder().write("ledger/invoices.py", named);
  workspace.folder().write("money/rounding.py", called);
  for (int f = 0; f < 4; ++f) {
    std::string other;
    for (int i = 0; i < 6; ++i)
      other +=
          fmt::format("def ledger_{}_{}(rows):\n    invoice = rows[{}]\n    return invoice\n\n", f, i, i);
    workspace.folder().write(fmt::format("ledger/part_{}.py", f), other);
  }
  workspace.index();
  const std::string task = "settle_invoice settles an invoice twice: round_half ignores `precision`";
  RetrieveRequest request = RetrievalWorkspace::request(task, 8000);
  std::unique_ptr<GatheredRetrieval> gathered;
  std::vector<std::string> before;
  bool shows_called = false;
  for (uint64_t budget = 20; budget <= 4000; budget += budget < 1200 ? 7 : 70) {
    const RetrieveReply reply = workspace.assemble(gathered, request, budget);
    std::vector<std::string> whole;
    for (const PacketSection& section : reply.packet.sections)
      for (const PacketItem& item : section.items)
        if (item.shown && item.candidate.forms[*item.shown].kind == FormKind::kFull)
          whole.push_back(item.candidate.id);
    ASSERT_TRUE(holds_all(whole, before)) << budget << "\n" << reply.output;
    shows_called = shows_called || std::find(whole.begin(), whole.end(),
                                             "symbol:money/rounding.py#Rounding.round_half") != whole.end();
    before = std::move(whole);
  }
  EXPECT_TRUE(shows_called) << "or there is nothing behind the end here";
}

}  // namespace
}  // namespace knapsack

#include <fmt/format.h>

#include "cli/command.h"
#include "core/budget.h"

namespace knapsack::cli {

void add_status(CLI::App& program, Shared& shared) {
  add_command(program, shared, "status", "Show what this workspace has", [&shared] {
    auto engine = open_engine(shared);
    if (!engine.ok()) return fail(engine.error());
    const auto status = (*engine)->status();
    if (!status.ok()) return fail(status.error());
    std::string out = fmt::format(
        "workspace  {} (found by {})\nnotes      {}\ngraph      {}\nmemory     {}\ncode       {}\nledger     "
        "{}\n",
        status->workspace, status->found_by, status->notes, status->graph, status->memory, status->code,
        status->ledger);
    for (const auto& run : status->last_runs) {
      out += fmt::format("last runs  {} {} {} {}/{}\n", run.record.run_id, run.record.command,
                         format_rfc3339(Timestamp::from_seconds(run.record.started.seconds())),
                         run.record.used, shown_budget(static_cast<uint64_t>(run.record.budget)));
    }
    const auto printed = print(out);
    return printed.ok() ? 0 : fail(printed.error());
  });
}

}  // namespace knapsack::cli

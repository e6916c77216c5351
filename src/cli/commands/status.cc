#include <fmt/format.h>

#include <utility>

#include "cli/command.h"
#include "cli/field_flags.h"
#include "packet/budget.h"

namespace knapsack::cli {

void add_status(Command program, Shared& shared) {
  Command command = add_command(program, shared, "status", "Show what this workspace has", [&shared] {
    auto engine = open_engine(shared);
    if (!engine.ok()) return fail(engine.error());
    const auto status = (*engine)->status();
    if (!status.ok()) return fail(status.error());
    std::string out = fmt::format(
        "workspace  {} (found by {})\nnotes      {}\ngraph      {}\nmemory     {}\nmeaning    {}\ncode       "
        "{}\nledger     "
        "{}\n",
        status->workspace, status->found_by, with_flags(status->notes), with_flags(status->graph),
        with_flags(status->memory), status->meaning, status->code, status->ledger);
    std::string_view label = "last runs";
    for (const auto& run : status->last_runs) {
      out += fmt::format("{:<9}  {:<16}  {:<10}  {}  {:<8}  {} / {}\n", std::exchange(label, ""),
                         run.record.run_id, run.record.command,
                         format_rfc3339(Timestamp::from_seconds(run.record.started.seconds())),
                         name_of(run.record.status), run.record.used,
                         shown_budget(static_cast<uint64_t>(run.record.budget)));
    }
    const auto printed = print(out);
    return printed.ok() ? 0 : fail(printed.error());
  });
  command.footer("`knapsack doctor` diagnoses problems and suggests fixes.\n\nExample:\n  knapsack status");
}

}  // namespace knapsack::cli

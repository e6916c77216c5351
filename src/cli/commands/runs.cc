#include <fmt/format.h>

#include "cli/command.h"
#include "packet/budget.h"

namespace knapsack::cli {

void add_runs(Command program, Shared& shared) {
  auto limit = std::make_shared<int64_t>(20);
  Command command = add_command(program, shared, "runs", "List past runs, newest first", [&shared, limit] {
    auto engine = open_engine(shared);
    if (!engine.ok()) return fail(engine.error());
    const auto runs = (*engine)->runs(*limit);
    if (!runs.ok()) return fail(runs.error());
    if (runs->empty()) note("no runs yet in this workspace; try `knapsack pack TASK`");
    std::string out;
    if (!runs->empty()) {
      out = bold(fmt::format("{:>6}  {:<16}  {:>6}  {:<20}  {:<10}  {:<8}  {:>15}  {}", "run", "id", "repeat",
                             "started", "command", "status", "used / budget", "counter")) +
            "\n";
    }
    for (const auto& run : *runs) {
      out += fmt::format(
          "{:>6}  {:<16}  {:>6}  {:<20}  {:<10}  {:<8}  {:>15}  {}\n", run.key.sequence, run.record.run_id,
          run.key.repeat, format_rfc3339(Timestamp::from_seconds(run.record.started.seconds())),
          run.record.command, name_of(run.record.status),
          fmt::format("{} / {}", run.record.used, shown_budget(static_cast<uint64_t>(run.record.budget))),
          run.record.tokenizer);
    }
    const auto printed = print(out);
    return printed.ok() ? 0 : fail(printed.error());
  });
  command.add_option("--limit", *limit, "Runs to show (default 20)").type_name("N").between(1, 1'000'000);
  command.footer(
      "`knapsack explain RUN` takes a run number, an id or its beginning, or `latest`.\n\n"
      "Examples:\n"
      "  knapsack runs\n"
      "  knapsack runs --limit 5");
}

}  // namespace knapsack::cli

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/numbers.h"

namespace knapsack::cli {

void add_prune(Command program, Shared& shared) {
  auto before = std::make_shared<std::string>();
  Command command =
      add_plain_command(program, shared, "prune", "Remove old runs from the ledger", [&shared, before] {
        const auto time = parse_rfc3339(*before);
        if (!time.ok()) return fail(time.error());
        auto engine = open_engine(shared);
        if (!engine.ok()) return fail(engine.error());
        const auto report = (*engine)->prune(*time);
        if (!report.ok()) return fail(report.error());
        const auto printed = print(fmt::format(
            "{} removed, {} kept; {} kB before, {} kB after\n{}", counted(report->runs_removed, "run"),
            grouped(report->runs_kept), (report->bytes_before + 1023) / 1024,
            (report->bytes_after + 1023) / 1024,
            report->sessions_removed == 0
                ? ""
                : fmt::format("{} of their tasks removed\n", counted(report->sessions_removed, "session"))));
        return printed.ok() ? 0 : fail(printed.error());
      });
  command.add_option("--before", *before, "Remove runs that started before this date or time")
      .required()
      .type_name("DATE");
  command.footer(
      "The ledger is append-only; this is the only way to shrink it. The remaining runs are written to a\n"
      "new file, which then replaces the old one. Sessions of tasks without any run left are removed too.\n\n"
      "Example:\n  knapsack prune --before 2026-01-01");
}

}  // namespace knapsack::cli

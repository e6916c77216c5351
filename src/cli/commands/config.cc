#include <fmt/format.h>

#include <algorithm>

#include "cli/command.h"

namespace knapsack::cli {

void add_config(Command program, Shared& shared) {
  auto all = std::make_shared<bool>(false);
  Command command =
      add_command(program, shared, "config", "Show every setting, its value and its origin", [&shared, all] {
        auto engine = open_engine(shared);
        if (!engine.ok()) return fail(engine.error());
        const auto rows = (*engine)->config(*all);
        if (!rows.ok()) return fail(rows.error());
        size_t width = 0;
        for (const auto& row : *rows) width = std::max(width, row.key.size());
        std::string out;
        for (const auto& row : *rows) {
          out += fmt::format("{:<{}} {:<12} {:<28} {}\n", row.key, width, row.value, row.origin,
                             row.description);
        }
        const auto printed = print(out);
        return printed.ok() ? 0 : fail(printed.error());
      });
  command.add_flag("--all", *all, "Also list the constants of ranking and packing, which are not settings");
  command.footer(
      "Precedence: flag, environment (KNAPSACK_NOTES_BUDGET for notes.budget…), knapsack.toml, the rc file "
      "beside\n"
      "the notes folder (.ctxrc or .contextrc), your own file (~/.config/knapsack/knapsack.toml), default.\n"
      "A workspace's own knapsack.toml cannot name places outside the workspace: see `knapsack trust`.\n\n"
      "knapsack.toml:\n  [notes]\n  budget = 6000\n  tokenizer = \"o200k\"\n\n"
      "Examples:\n"
      "  knapsack config\n"
      "  knapsack config --all");
}

}  // namespace knapsack::cli

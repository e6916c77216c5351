// `knapsack` alone: what is here, and three commands to begin with.
#include <fmt/format.h>

#include "cli/command.h"
#include "core/escape.h"

namespace knapsack::cli {
namespace {

// What there is; what to do about it is told by `status`.
std::string in_short(const std::string& text) {
  return escape_control(std::string_view(text).substr(0, text.find("; ")));
}

}  // namespace

std::string first_look(const Shared& shared) {
  auto engine = open_engine(shared);
  if (!engine.ok()) return "";
  const auto status = (*engine)->status();
  // A folder that nothing marks as a project is no place to begin.
  if (!status.ok() || status->found_by == "the current folder") return "";
  return fmt::format(
      "{}\n"
      "  code    {}\n"
      "  notes   {}\n"
      "  memory  {}\n"
      "\n"
      "  knapsack pack \"what you want to do\"   what that needs of all this, in 8000 tokens\n"
      "  knapsack pack --diff                  what a reviewer of your uncommitted change needs\n"
      "  knapsack init --client claude-code    make your agent use it (cursor, codex, vscode, opencode)\n"
      "\n"
      "`knapsack --help` lists every command.\n",
      bold(escape_control(status->workspace)), in_short(status->code), in_short(status->notes),
      in_short(status->memory));
}

}  // namespace knapsack::cli

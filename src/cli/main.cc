#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/build_info.h"
#include "cli/command.h"
#include "cli/serving.h"
#include "cli/trust.h"
#include "core/escape.h"
#include "engine/recipes/code/parsing.h"

namespace {

using namespace knapsack::cli;

// What ends the program where nothing else caught it: in a thread, or on the way out of one.
[[noreturn]] void end_with_a_line() {
  const char* line = "knapsack: stopped by a fault of its own; please report what you ran\n";
  try {
    if (const auto problem = std::current_exception()) std::rethrow_exception(problem);
  } catch (const std::bad_alloc&) {
    line = "knapsack: there is not enough memory for this; give it more, or ask for less\n";
  } catch (const std::system_error&) {
    line = "knapsack: the system has no thread left to give; try again when less is running\n";
  } catch (...) {
  }
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line, std::strlen(line));
  std::_Exit(1);
}

// The only command that this call needs; empty where it needs all of them.
std::string only_command(int argc, const char* const* argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  const bool tells_of_all = first.starts_with('-') || first == "completions" || first == "man";
  return tells_of_all ? "" : first;
}

void add_commands(Command program, Shared& shared) {
  using Adds = std::vector<void (*)(Command, Shared&)>;
  const std::pair<const char*, Adds> groups[] = {
      {"Pack",
       {add_pack, add_retrieve, add_refine, add_search, add_explain, add_runs, add_outcome, add_report,
        add_export, add_prune}},
      {"Code",
       {add_index, add_map, add_overview, add_symbols, add_outline, add_refs, add_impact, add_deps,
        add_history, add_enrich, add_eval}},
      {"Notes", {add_agent, add_note}},
      {"Memory",
       {add_recall, add_remember, add_capture, add_forget, add_feedback, add_memories, add_promote, add_team,
        add_worker, add_profile, add_embed}},
      {"Graph", {add_graph}},
      {"Connect", {add_set_up, add_mcp, add_serve, add_hook}},
      {"Inspect",
       {add_ui, add_status, add_doctor, add_config, add_trust, add_completions, add_man, add_licenses}}};
  for (const auto& [heading, adds] : groups) {
    for (const auto add : adds) add(program, shared);
    program.group_added(heading);
  }
}

// "help" and "help graph put" are "--help" and "graph put --help".
std::vector<const char*> with_help_as_option(int argc, char** argv) {
  std::vector<const char*> words(argv, argv + argc);
  if (argc < 2 || std::string_view(words[1]) != "help") return words;
  words.erase(words.begin() + 1);
  words.push_back("--help");
  return words;
}

int run(const std::vector<const char*>& words) {
  const int argc = static_cast<int>(words.size());
  const char* const* argv = words.data();
  // A reader that went away and a file that may not grow are error values, not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);

  Parser parser("Packs the context an AI agent needs into the tokens it has.", "knapsack",
                fmt::format("knapsack {} ({})", knapsack::Engine::version(), build_description()));
  const Command program = parser.program();
  program.require_subcommand(0, 1);
  program.footer(
      "Start here:\n"
      "  knapsack pack TASK             what a task needs from code, notes, memories and graph, in 8000 "
      "tokens\n"
      "  knapsack explain               what went in, what stayed out, and why\n"
      "  knapsack ui                    see all of this in a browser\n"
      "  knapsack agent                 only the project notes in .context/\n"
      "  knapsack retrieve TASK …       the code that a task needs, within a budget\n"
      "  knapsack search QUERY          search code, notes, memories and graph\n"
      "  knapsack index                 read the repository's code; then overview, symbols, refs, deps…\n"
      "  knapsack mcp                   offer all of this to an agent as tools (MCP)\n"
      "  knapsack init --client NAME    set up Claude Code, Cursor, Codex, VS Code or OpenCode\n"
      "  knapsack doctor                diagnose this workspace and suggest fixes\n\n"
      "`knapsack COMMAND --help` has examples for each command.");
  Shared shared;
  parser.only(only_command(argc, argv));
  add_commands(program, shared);
  const bool names_none = !parser.has_commands();
  if (names_none) {  // there is none of that name: whoever is told so hears of all
    parser.only("");
    add_commands(program, shared);
  }
  // Help about a command that does not exist is no help.
  const bool asks_in_vain = names_none && words.size() == 3 && std::string_view(words.back()) == "--help";
  const Parser::Outcome outcome = parser.parse(asks_in_vain ? argc - 1 : argc, argv);
  if (!outcome.answer.empty()) {
    const auto printed = print(outcome.answer);
    return printed.ok() ? 0 : fail(printed.error());
  }
  if (!outcome.problem.empty()) {
    note(fmt::format("{} `knapsack{}{} --help`",
                     outcome.problem + (outcome.problem.ends_with('?') ? " See" : "; see"),
                     outcome.command.empty() ? "" : " ", outcome.command));
    // To a client exit code 2 of a hook means: refuse what the user said.
    return outcome.command.starts_with("hook") ? 1 : 2;
  }
  if (!shared.chosen) {
    const std::string seen = first_look(shared);
    const auto printed = print(seen.empty() ? parser.help() : seen);
    return printed.ok() ? 0 : fail(printed.error());
  }
  return shared.chosen();
}

}  // namespace

int main(int argc, char** argv) {
  if (knapsack::is_parsing_process(argc, argv)) return knapsack::run_parsing_process();
  std::set_terminate(end_with_a_line);
  try {
    return run(with_help_as_option(argc, argv));
  } catch (...) {
    end_with_a_line();
  }
}

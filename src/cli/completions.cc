#include <fmt/format.h>

#include "cli/command.h"

namespace knapsack::cli {
namespace {

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// The words come from the parser itself, so that completions cannot fall behind it.
std::string bash_script(const CLI::App& program) {
  std::vector<std::string> commands;
  std::string cases;
  for (const CLI::App* command : program.get_subcommands(nullptr)) {
    commands.push_back(command->get_name());
    cases +=
        fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(), fmt::join(option_names(*command), " "));
  }
  return fmt::format(
      "# bash completion: source <(knapsack completions bash)\n"
      "_knapsack() {{\n"
      "  local current=\"${{COMP_WORDS[COMP_CWORD]}}\" previous=\"${{COMP_WORDS[COMP_CWORD-1]}}\" "
      "words=\"\"\n"
      "  case \"$previous\" in\n"
      "    --workspace|--context-dir|--graphs-dir|--memory-dir) COMPREPLY=($(compgen -d -- \"$current\")); "
      "return ;;\n"
      "    --format) COMPREPLY=($(compgen -W \"md json\" -- \"$current\")); return ;;\n"
      "    --source) COMPREPLY=($(compgen -W \"code notes memory graph\" -- \"$current\")); return ;;\n"
      "    --tokenizer) COMPREPLY=($(compgen -W \"chars4 bytes4 cl100k o200k\" -- \"$current\")); return ;;\n"
      "  esac\n"
      "  case \"${{COMP_WORDS[1]}}\" in\n{}"
      "    *) words=\"{} --help --version\" ;;\n"
      "  esac\n"
      "  [ \"$COMP_CWORD\" -eq 1 ] && words=\"{} --help --version\"\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "}}\n"
      "complete -F _knapsack knapsack\n",
      cases, fmt::join(commands, " "), fmt::join(commands, " "));
}

std::string fish_script(const CLI::App& program) {
  std::string out = "# fish completion: knapsack completions fish | source\ncomplete -c knapsack -f\n";
  const auto quote = [](std::string text) {
    for (size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 2) text.insert(at, "\\");
    return "'" + text + "'";
  };
  for (const CLI::App* command : program.get_subcommands(nullptr)) {
    out += fmt::format("complete -c knapsack -n __fish_use_subcommand -a {} -d {}\n", command->get_name(),
                       quote(command->get_description()));
    for (const CLI::Option* option : command->get_options()) {
      for (const auto& name : option->get_lnames()) {
        out += fmt::format("complete -c knapsack -n '__fish_seen_subcommand_from {}' -l {}{} -d {}\n",
                           command->get_name(), name, option->get_expected_min() > 0 ? " -r" : "",
                           quote(option->get_description()));
      }
    }
  }
  return out;
}

// zsh reads bash's completions through its own bridge.
std::string zsh_script(const CLI::App& program) {
  return "# zsh completion: source <(knapsack completions zsh)\nautoload -U +X bashcompinit && "
         "bashcompinit\n" +
         bash_script(program);
}

}  // namespace

void add_completions(CLI::App& program, Shared& shared) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = program.add_subcommand("completions", "Print completions for a shell");
  command->callback([&program, &shared, shell] {
    shared.chosen = [&program, shell] {
      std::string script;
      if (*shell == "bash") script = bash_script(program);
      if (*shell == "zsh") script = zsh_script(program);
      if (*shell == "fish") script = fish_script(program);
      if (script.empty()) {
        return fail(
            {ErrorCode::kUsage, fmt::format("unknown shell '{}'", *shell), "choose bash, zsh or fish"});
      }
      const auto printed = print(script);
      return printed.ok() ? 0 : fail(printed.error());
    };
  });
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required()->type_name("");
  command->footer("Example:\n  source <(knapsack completions bash)");
}

}  // namespace knapsack::cli

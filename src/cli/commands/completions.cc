#include <fmt/format.h>

#include "cli/command.h"
#include "cli/parser_view.h"

namespace knapsack::cli {
namespace {

std::vector<std::string> option_names(const CommandView& command) {
  std::vector<std::string> names;
  for (const OptionView& option : command.options) {
    for (const std::string& name : option.names)
      if (name.starts_with("--")) names.push_back(name);
  }
  return names;
}

// What can stand behind a command's name: commands, words of its arguments, options.
std::string words_of(const CommandView& command) {
  std::vector<std::string> words;
  for (const CommandView& each : command.commands) words.push_back(each.path.back());
  for (const OptionView& option : command.options) {
    if (option.names.empty()) words.insert(words.end(), option.choices.begin(), option.choices.end());
  }
  for (std::string& name : option_names(command)) words.push_back(std::move(name));
  return fmt::format("{}", fmt::join(words, " "));
}

// "    'pack --format') …": what an option of a command takes.
std::string value_cases(const CommandView& command) {
  std::string cases;
  for (const OptionView& option : command.options) {
    if (option.names.empty() || option.value.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names)
      patterns.push_back(fmt::format("'{} {}'", command.words(), name));
    std::string does = "COMPREPLY=()";
    if (!option.choices.empty()) {
      does = fmt::format("_knapsack_{} \"{}\" \"$current\"", option.is_list ? "list" : "words",
                         fmt::join(option.choices, " "));
    } else if (option.value == "DIR") {
      does = "COMPREPLY=($(compgen -d -- \"$current\"))";
    } else if (option.value == "FILE") {
      does = "COMPREPLY=($(compgen -f -- \"$current\"))";
    }
    cases += fmt::format("    {}) {}; return ;;\n", fmt::join(patterns, "|"), does);
  }
  return cases;
}

// The words come from the parser itself, so that completions cannot fall behind it.
std::string bash_script(const CommandView& program) {
  std::string values, words, groups;
  for (const CommandView* command : all_commands(program)) {
    values += value_cases(*command);
    words += fmt::format("    '{}') _knapsack_words \"{}\" \"$current\" ;;\n", command->words(),
                         words_of(*command));
    if (!command->commands.empty() && !command->path.empty())
      groups += fmt::format("{}'{}'", groups.empty() ? "" : "|", command->words());
  }
  return fmt::format(
      R"(# bash completion: source <(knapsack completions bash)
_knapsack_words() {{
  COMPREPLY=($(compgen -W "$1" -- "$2"))
}}
# Words with commas between them: the last one is completed.
_knapsack_list() {{
  local before="" last="${{2##*,}}"
  [ "$last" != "$2" ] && before="${{2%,*}},"
  COMPREPLY=($(compgen -P "$before" -W "$1" -- "$last"))
}}
_knapsack() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="" command="" word at
  [ "$COMP_CWORD" -gt 0 ] && previous="${{COMP_WORDS[COMP_CWORD-1]}}"
  # --format=json comes as three words.
  if [ "$current" = "=" ]; then
    current=""
  elif [ "$previous" = "=" ] && [ "$COMP_CWORD" -gt 1 ]; then
    previous="${{COMP_WORDS[COMP_CWORD-2]}}"
  fi
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="${{COMP_WORDS[at]}}"
    case "$word" in -*) break ;; esac
    case "$command" in
      "") command="$word" ;;
      {}) command="$command $word" ;;
      *) break ;;
    esac
  done
  case "$command $previous" in
{}  esac
  case "$command" in
{}  esac
}}
complete -o default -F _knapsack knapsack
)",
      groups.empty() ? "-" : groups, values, words);
}

std::string fish_quoted(std::string text) {
  for (size_t at = 0; (at = text.find_first_of("'\\", at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return "'" + text + "'";
}

// When a command's own words are wanted: all of its path was said, and none of the commands below it.
std::string fish_condition(const CommandView& command) {
  if (command.path.empty()) return "__fish_use_subcommand";
  std::vector<std::string> parts;
  for (const std::string& word : command.path) parts.push_back("__fish_seen_subcommand_from " + word);
  if (!command.commands.empty()) {
    std::vector<std::string> below;
    for (const CommandView& each : command.commands) below.push_back(each.path.back());
    parts.push_back(fmt::format("not __fish_seen_subcommand_from {}", fmt::join(below, " ")));
  }
  return fmt::format("{}", fmt::join(parts, "; and "));
}

std::string fish_script(const CommandView& program) {
  std::string out = "# fish completion: knapsack completions fish | source\ncomplete -c knapsack -f\n";
  for (const CommandView* command : all_commands(program)) {
    const std::string start =
        fmt::format("complete -c knapsack -n {}", fish_quoted(fish_condition(*command)));
    for (const CommandView& each : command->commands)
      out += fmt::format("{} -a {} -d {}\n", start, each.path.back(), fish_quoted(each.description));
    for (const OptionView& option : command->options) {
      if (option.names.empty()) {
        if (!option.choices.empty())
          out += fmt::format("{} -a {}\n", start,
                             fish_quoted(fmt::format("{}", fmt::join(option.choices, " "))));
        continue;
      }
      std::string names;
      for (const std::string& name : option.names)
        names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      std::string takes;
      if (!option.choices.empty()) {
        takes = fmt::format(" -xa {}", fish_quoted(fmt::format("{}", fmt::join(option.choices, " "))));
      } else if (!option.value.empty()) {
        takes = option.value == "DIR" ? " -xa '(__fish_complete_directories)'" : " -r";
      }
      out += fmt::format("{}{}{} -d {}\n", start, names, takes, fish_quoted(option.description));
    }
  }
  return out;
}

// zsh reads bash's completions through its own bridge.
std::string zsh_script(const CommandView& program) {
  return "# zsh completion: source <(knapsack completions zsh)\nautoload -U +X bashcompinit && "
         "bashcompinit\n" +
         bash_script(program);
}

}  // namespace

void add_completions(Command program, Shared& shared) {
  auto shell = std::make_shared<std::string>();
  Command command = program.add_subcommand("completions", "Print completions for a shell");
  command.callback([program, &shared, shell] {
    shared.chosen = [program, shell] {
      const CommandView view = program.view();
      std::string script;
      if (*shell == "bash") script = bash_script(view);
      if (*shell == "zsh") script = zsh_script(view);
      if (*shell == "fish") script = fish_script(view);
      if (script.empty()) {
        return fail(
            {ErrorCode::kUsage, fmt::format("unknown shell '{}'", *shell), "choose bash, zsh or fish"});
      }
      const auto printed = print(script);
      return printed.ok() ? 0 : fail(printed.error());
    };
  });
  command.add_option("SHELL", *shell, "bash, zsh or fish").required().type_name("");
  command.footer(
      "Examples:\n"
      "  source <(knapsack completions bash)                                in ~/.bashrc\n"
      "  source <(knapsack completions zsh)                                 in ~/.zshrc, after compinit\n"
      "  knapsack completions fish > ~/.config/fish/completions/knapsack.fish");
}

}  // namespace knapsack::cli

#include "cli/parser_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace knapsack::cli {
namespace {

struct Choices {
  std::vector<std::string> words;
  bool is_list = false;
};

// Words of options whose values the engine checks, not the parser.
const std::map<std::string, Choices>& known_choices() {
  static const std::map<std::string, Choices> kChoices = {
      {"--format", {{"md", "prompt", "json"}}},
      {"--tokenizer", {{"chars4", "bytes4", "cl100k", "o200k"}}},
      {"--log-level", {{"debug", "info", "warning", "error", "off"}}},
      {"--mode", {{"auto", "no_recall", "minimal", "full", "graph_mode"}}},
      {"--sources", {{"code", "notes", "memory", "graph"}, true}},
      {"--source", {{"code", "notes", "memory", "graph"}, true}},
      {"--client", {{"claude-code", "cursor", "codex", "vscode", "opencode", "all"}, true}},
      {"--provider", {{"auto", "ollama", "openai"}}},
      {"--fusion", {{"sum", "rrf"}}},
      {"--intent", {{"auto", "plan", "execute", "explain", "debug", "research"}}},
      {"SHELL", {{"bash", "zsh", "fish"}}},
  };
  return kChoices;
}

// "{md,json}": how the parser describes a check against a set of words.
std::vector<std::string> checked_words(CLI::Option& option) {
  std::vector<std::string> words;
  const std::string described = option.get_type_name();
  const size_t open = described.find('{'), close = described.rfind('}');
  if (open == std::string::npos || close == std::string::npos || close < open) return words;
  for (size_t at = open + 1; at < close;) {
    const size_t end = std::min(described.find(',', at), close);
    words.push_back(described.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

OptionView view_of_option(CLI::Option& option) {
  OptionView view;
  for (const std::string& name : option.get_lnames()) view.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) view.names.push_back("-" + name);
  if (view.names.empty()) view.positional = option.get_name();
  view.description = option.get_description();
  view.required = option.get_required();
  const std::string type = option.get_type_name();
  if (option.get_expected_min() > 0) view.value = type.substr(0, type.find_first_of(":{ "));
  view.choices = checked_words(option);
  const std::string& key = view.names.empty() ? view.positional : view.names.front();
  if (const auto known = known_choices().find(key); view.choices.empty() && known != known_choices().end()) {
    view.choices = known->second.words;
    view.is_list = known->second.is_list;
  }
  return view;
}

CommandView view_of_command(CLI::App& app, std::vector<std::string> path) {
  CommandView view;
  view.description = app.get_description();
  view.footer = app.get_footer();
  for (CLI::Option* option : app.get_options(nullptr)) view.options.push_back(view_of_option(*option));
  for (CLI::App* command : app.get_subcommands(nullptr)) {
    std::vector<std::string> below = path;
    below.push_back(command->get_name());
    view.commands.push_back(view_of_command(*command, std::move(below)));
  }
  view.path = std::move(path);
  return view;
}

void collect(const CommandView& command, std::vector<const CommandView*>& list) {
  list.push_back(&command);
  for (const CommandView& each : command.commands) collect(each, list);
}

}  // namespace

std::string CommandView::words() const {
  return fmt::format("{}", fmt::join(path, " "));
}

CommandView view_of(CLI::App& program) {
  return view_of_command(program, {});
}

std::vector<const CommandView*> all_commands(const CommandView& program) {
  std::vector<const CommandView*> list;
  collect(program, list);
  return list;
}

}  // namespace knapsack::cli

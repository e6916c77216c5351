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
std::vector<std::string> checked_words(const std::string& described) {
  std::vector<std::string> words;
  const size_t open = described.find('{'), close = described.rfind('}');
  if (open == std::string::npos || close == std::string::npos || close < open) return words;
  for (size_t at = open + 1; at < close;) {
    const size_t end = std::min(described.find(',', at), close);
    words.push_back(described.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

void collect(const CommandView& command, std::vector<const CommandView*>& list) {
  list.push_back(&command);
  for (const CommandView& each : command.commands) collect(each, list);
}

}  // namespace

std::string CommandView::words() const {
  return fmt::format("{}", fmt::join(path, " "));
}

void add_choices(OptionView& option, const std::string& type) {
  option.choices = checked_words(type);
  const std::string& key = option.names.empty() ? option.positional : option.names.front();
  if (const auto known = known_choices().find(key);
      option.choices.empty() && known != known_choices().end()) {
    option.choices = known->second.words;
    option.is_list = known->second.is_list;
  }
}

std::vector<const CommandView*> all_commands(const CommandView& program) {
  std::vector<const CommandView*> list;
  collect(program, list);
  return list;
}

}  // namespace knapsack::cli

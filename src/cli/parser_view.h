// What the argument parser knows, as data: completions and manual pages are made from it, so that neither can
// fall behind the program.
#pragma once

#include <string>
#include <vector>

namespace knapsack::cli {

struct OptionView {
  std::vector<std::string> names;  // "--format", "-v"; empty for a positional
  std::string positional;          // its name; empty for an option
  std::string value;               // what it takes: "N", "DIR"; empty for a flag
  std::string description;
  std::vector<std::string> choices;  // the words that it takes, where these are known
  bool is_list = false;              // of those words, with commas
  bool required = false;
};

struct CommandView {
  std::vector<std::string> path;  // {"graph", "put"}; empty for the program itself
  std::string description;
  std::string footer;
  std::vector<OptionView> options;
  std::vector<CommandView> commands;

  std::string words() const;  // "graph put"
};

// Fills in the words that an option takes; `type` is how the parser describes its value.
void add_choices(OptionView& option, const std::string& type);

// The command and all below it, outer ones first.
std::vector<const CommandView*> all_commands(const CommandView& program);

}  // namespace knapsack::cli

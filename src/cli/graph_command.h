// What the graph commands share.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "cli/command.h"

namespace knapsack::cli {

inline std::map<std::string, std::string> graph_settings(const std::string& folder) {
  if (folder.empty()) return {};
  return {{"graph.dir", folder}};
}

inline void add_graphs_dir(CLI::App* command, std::string& folder) {
  command->add_option("--graphs-dir", folder, "The folder of the graph (default graphs)")->type_name("DIR");
}

inline void add_format(CLI::App* command, std::string& format, std::vector<std::string> known) {
  command->add_option("--format", format, fmt::format("{} (default {})", fmt::join(known, ", "), format))
      ->check(CLI::IsMember(known))
      ->type_name("FORMAT");
}

// All of a file, or of standard input for "-".
Result<std::string> read_input(const std::string& name);

void add_graph_pack(CLI::App& graph, Shared& shared);

}  // namespace knapsack::cli

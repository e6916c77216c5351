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

inline void add_graphs_dir(Command command, std::string& folder) {
  command.add_option("--graphs-dir", folder, "The graph folder (default graphs)").type_name("DIR");
}

inline void add_format(Command command, std::string& format, std::vector<std::string> known) {
  command.add_option("--format", format, fmt::format("{} (default {})", fmt::join(known, ", "), format))
      .one_of(known)
      .type_name("FORMAT");
}

// All of a file, or of standard input for "-".
Result<std::string> read_input(const std::string& name);

// What a command that answers with a packet ends with.
template <class Reply>
int print_packet(const Shared& shared, const Result<Reply>& reply) {
  if (!reply.ok()) return fail(reply.error());
  for (const auto& notice : reply->notices) say(shared, LogLevel::kWarning, notice);
  if (const auto printed = print(reply->output); !printed.ok()) return fail(printed.error());
  if (shared.stats) print_times(reply->times);
  return fails_strict(shared, reply->packet) ? 1 : 0;
}

void add_graph_pack(Command graph, Shared& shared);

}  // namespace knapsack::cli

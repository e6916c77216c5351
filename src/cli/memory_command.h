// What the memory commands share.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>

#include "cli/command.h"
#include "cli/graph_command.h"

namespace knapsack::cli {

struct MemoryOptions {
  std::string folder, name_space;

  std::map<std::string, std::string> settings() const {
    std::map<std::string, std::string> given;
    if (!folder.empty()) given["memory.dir"] = folder;
    if (!name_space.empty()) given["memory.namespace"] = name_space;
    return given;
  }
};

inline void add_memory_options(CLI::App* command, MemoryOptions& options) {
  command
      ->add_option("--memory-dir", options.folder,
                   "The memory folder (default ~/.openclaw/workspace/memory/local where it exists, else "
                   ".knapsack/memory)")
      ->type_name("DIR");
  command->add_option("--namespace", options.name_space, "The namespace (default: the root of the folder)")
      ->type_name("NAME");
}

}  // namespace knapsack::cli

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

inline void add_memory_options(Command command, MemoryOptions& options) {
  command
      .add_option(
          "--memory-dir", options.folder,
          "The memory folder (default: memory/ in the workspace if it exists, else OpenClaw's tree, else a "
          "folder for the workspace in ~/.local/share/knapsack/memory; `knapsack status` says which)")
      .type_name("DIR");
  command
      .add_option("--namespace", options.name_space,
                  "The namespace (default: the root of the folder); team:NAME for a team's")
      .type_name("NAME");
}

// `memories review`, which stands with `capture`.
void add_review(Command memories, Shared& shared);

// The flags that name an embedding model.
inline void add_embedding_options(Command command, std::string& model, std::string& url) {
  command.add_option("--embed-model", model, "An embedding model for search by meaning").type_name("NAME");
  command
      .add_option("--embed-url", url,
                  "The address of its server (Ollama, or an OpenAI-compatible one ending in /v1)")
      .type_name("URL");
}

}  // namespace knapsack::cli

// A workspace in memory with a graph, and asking it as a caller would.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/files/memory_file_system.h"
#include "engine/engine.h"

namespace knapsack::testing {

inline constexpr const char* kGraphNow = "2026-11-15T08:00:00Z";

class GraphWorkspace {
 public:
  GraphWorkspace();

  // Adds a line to the file of its layer, as it is.
  void add_line(const std::string& file, const std::string& line);
  // Adds a node with what is not given filled in: title, type, rev 1, and times long before now.
  void add(nlohmann::json node);
  // Adds a commit row with its context pack.
  void add_commit(const std::string& id, const std::vector<std::string>& changed);

  Result<GraphPackReply> try_pack(GraphPackRequest request) const;
  // The request pack of a dry run.
  nlohmann::json pack(const std::string& request, const std::map<std::string, std::string>& settings = {},
                      const std::string& intent = "auto") const;
  std::unique_ptr<Engine> engine() const;

  std::shared_ptr<MemoryFileSystem> files;
  std::shared_ptr<Ledger> ledger;
  // Every file below the graph's folder.
  std::map<std::string, std::string> bytes() const;

 private:
  std::map<std::string, std::string> lines_;
};

// The ids of a snapshot, in order.
std::vector<std::string> ids(const nlohmann::json& snapshot);
// The entry of a snapshot; null when there is none.
nlohmann::json entry(const nlohmann::json& snapshot, const std::string& id);

}  // namespace knapsack::testing

// Inspection: what people look at in a workspace that no recipe needs. For the inspector's views.
//
// Reads and never writes. Like an engine it belongs to one workspace and answers one question at a time; secrets
// are replaced as everywhere.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace knapsack {

// A source file as it was indexed.
struct GraphMapNode {
  std::string id, layer, type, title, state;
  std::string updated;  // "" where nobody said
  uint32_t revisions = 0;
};
struct GraphMapEdge {
  uint32_t from = 0, to = 0;  // in GraphMap::nodes
  std::string kind;           // link, depends_on, blocks or supersedes
};
struct GraphMap {
  std::string folder;               // how messages name it
  std::vector<GraphMapNode> nodes;  // the newest first
  std::vector<GraphMapEdge> edges;  // between these
  size_t all = 0;                   // nodes of the graph
};

struct GraphRevision {
  std::string json;  // as it is stored, indented
  bool latest = false;
  uint64_t line = 0;  // of the file
};
struct GraphRevisions {
  std::string id;
  std::string file;                      // how messages name it
  std::vector<GraphRevision> revisions;  // the latest first, then from the end of the file
};

struct RunPage {
  std::vector<StoredRun> runs;  // newest first
  int64_t next = 0;             // where to go on; 0: there are no more
};

// A report of Engine::evaluate() on this workspace, without the answer to each task.
struct KeptEvalReport {
  Timestamp made;
  std::string json;  // as eval_report_json() gives it
};

class Inspection {
 public:
  // Finds the workspace. Creates nothing.
  static Result<std::unique_ptr<Inspection>> open(EngineOptions options);
  ~Inspection();

  Result<FileText> file_text(const std::string& path) const;
  // Source files by their tokens (o200k), most first.
  Result<std::vector<code::CountedFile>> biggest_files() const;
  // The newest nodes with what connects them.
  Result<GraphMap> graph_map(size_t limit) const;
  Result<GraphRevisions> graph_revisions(const std::string& id) const;
  // Runs that match, of those with a smaller number than `below`; 0: of all.
  Result<RunPage> runs(const RunFilter& filter, int64_t below) const;
  // Newest first.
  Result<std::vector<KeptEvalReport>> eval_reports() const;

 private:
  explicit Inspection(std::unique_ptr<Engine::State> state);
  std::unique_ptr<Engine::State> state_;
};

}  // namespace knapsack

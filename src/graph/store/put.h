// Putting nodes into the store: what was given becomes revisions, checked whole before a byte is written.
//
// All or nothing: one bad node refuses the lot. What the graph would be afterwards is checked too: references
// lead somewhere and tasks do not wait for each other in a circle. Callers hold the lock of the folder.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/files/file_system.h"
#include "graph/store/change.h"
#include "graph/store/graph_index.h"
#include "graph/store/store.h"

namespace knapsack::graph {

inline constexpr size_t kMaxPutBytes = 256U << 20U;
inline constexpr size_t kShownPutProblems = 5;

struct PutNode {
  std::string id;
  int64_t rev = 0;
  Layer layer = Layer::kKnowledge;
  std::string line;  // as it will be stored, with its line feed
};

// Reads one object, a list of them, or one a line; fills in ids, revisions, times and empty lists. `index` is
// the graph as it is, and afterwards as it would be. kUsage names the first few things that are wrong.
Result<std::vector<PutNode>> plan_put(const FileSystem& files, const StoreView& view, GraphIndex& index,
                                      std::string_view text, Timestamp now);

// Who asked for a change, and what its context pack tells beside the nodes.
struct ChangeOrigin {
  std::string mode;  // "put", "clarify"
  std::string event;
  std::string request_id;
  std::optional<int64_t> request_seq;
};

// The nodes as one change. `shown` are the nodes as the context pack may show them, in the same order.
Result<Change> plan_change(const FileSystem& files, const StoreView& view, const std::vector<PutNode>& nodes,
                           const nlohmann::json& shown, const ChangeOrigin& origin, Timestamp now);

}  // namespace knapsack::graph

// Reading the graph: the lines of the store, or an index file with the lines that came after it.
//
// A large graph is indexed into a file of its own, which is derived and may go at any time: it is used only
// where the files it was made from are those it saw, as far as it saw them. Lines are digested on all cores.
#pragma once

#include <string>

#include "core/files/file_system.h"
#include "core/result.h"
#include "graph/store/graph_index.h"
#include "graph/store/store.h"

namespace knapsack::graph {

// Below this, reading the lines takes no longer than an index file would.
inline constexpr uint64_t kWorthAnIndex = 1U << 20U;

struct ReadGraph {
  GraphIndex index;
  bool worth_saving = false;  // it took long enough to learn
};

// `index_file` may not exist; empty: never look for one.
Result<ReadGraph> read_graph(const FileSystem& files, const StoreView& view, const std::string& index_file);

// The graph with more lines at the end of a file, as if they had been appended: how a change is checked
// before it is made.
Status add_lines(const FileSystem& files, const StoreView& view, Layer layer, std::string_view lines,
                 GraphIndex& index);

// The bytes of the latest line of a node.
Result<std::string> read_line(const FileSystem& files, const StoreView& view, const GraphIndex& index,
                              uint32_t number);

// Hash over every node's id and content: the same graph, the same fingerprint.
std::string fingerprint(const GraphIndex& index);

}  // namespace knapsack::graph

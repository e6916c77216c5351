// The index file of a large graph: what docs/formats.md describes under "Graph index".
//
// Derived: a file that is missing, damaged or of another version is an error that callers answer by reading
// the graph itself. It is checked whole before anything in it is followed.
#pragma once

#include <string>

#include "core/files/file_system.h"
#include "core/result.h"
#include "graph/store/graph_index.h"

namespace knapsack::graph {

Result<GraphIndex> load_index(const FileSystem& files, const std::string& path);
Status save_index(FileSystem& files, const std::string& path, const GraphIndex& index);

}  // namespace knapsack::graph

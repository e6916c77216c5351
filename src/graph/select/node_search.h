// find_nodes: the nodes of the graph that hold words of a query, best first.
//
// A node weighs the idf of each word that it holds, in full where the word stands in the title, a tag or the
// type, half where it stands in the text only; an id that the query names comes first. Unlike entities (which
// a request is about, graph/select/entities.h) no word is too common and no match too weak: whoever searches reads
// from the top. Retired nodes are left out. Pure functions; any thread.
#pragma once

#include <string_view>
#include <vector>

#include "graph/store/graph_index.h"

namespace knapsack::graph {

struct FoundNode {
  uint32_t node = 0;
  double score = 0;
};

// Score, then id.
std::vector<FoundNode> find_nodes(const GraphIndex& index, std::string_view query, size_t limit);

// Archived, superseded or deprecated: it no longer says anything.
bool is_retired(State state);

}  // namespace knapsack::graph

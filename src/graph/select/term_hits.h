// Which nodes have which words: mapped lists where the index has them, the words of the tail one by one.
//
// Pure functions of the index; any thread.
// Private to graph/select/.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "graph/store/graph_index.h"

namespace knapsack::graph {

struct TermHit {
  uint32_t node = 0;
  uint32_t term = 0;  // its place among those that were asked for
  bool prominent = false;
};

struct TermHits {
  std::vector<uint32_t> nodes;  // how many have each term
  std::vector<TermHit> hits;    // by node, then by term
};

// `terms` are all different. Nodes are named only for terms of which `wanted` says so, given how many have
// it: the list of a common word is long and tells nothing.
TermHits find_terms(const GraphIndex& index, std::span<const Term> terms,
                    const std::function<bool(uint32_t nodes)>& wanted);

}  // namespace knapsack::graph

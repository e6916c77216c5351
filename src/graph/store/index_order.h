// A graph in the order of its index file: nodes by id, terms by hash, without what older revisions left
// behind. Plain data.
// Private to graph/store/.
#pragma once

#include <string>
#include <vector>

#include "graph/store/graph_index.h"

namespace knapsack::graph {

struct OrderedIndex {
  std::vector<NodeRecord> nodes;
  std::vector<NodeHistory> histories;
  std::vector<uint32_t> id_ends;
  std::string id_text;
  std::vector<Reference> references;
  std::vector<Term> terms;
  std::vector<uint32_t> posting_ends;
  std::vector<Marked> postings;
};

OrderedIndex in_order(const GraphIndex& index);

}  // namespace knapsack::graph

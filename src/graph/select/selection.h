// Selection: which nodes go into a pack, in which order, and why the others do not.
//
// First tasks, closed over what they wait for; what they reference then counts for knowledge and decisions.
// The same graph, whatever the order of its lines, gives the same selection. Pure functions; any thread.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "graph/select/scoring.h"

namespace knapsack::graph {

struct Caps {
  size_t tasks = 15;
  size_t knowledge = 30;
  size_t decisions = 10;
};

// Of what is left out this many in each layer are accounted for one by one, the best first; the rest is
// counted.
inline constexpr size_t kNamedLeftOut = 100;

struct SelectedNode {
  uint32_t node = 0;
  NodeScore score;
  std::vector<std::string> why;  // in words
  std::string dropped;           // why it is not in the pack; empty when it is
};

struct LayerSelection {
  std::vector<SelectedNode> chosen;
  std::vector<SelectedNode> left_out;
  size_t uncounted = 0;        // existing nodes that are in neither list
  bool has_candidate = false;  // a node that something beside its date speaks for
};

struct Selection {
  std::array<LayerSelection, kLayers.size()> layers;
  const LayerSelection& of(Layer layer) const { return layers[static_cast<size_t>(layer)]; }
};

Selection select_nodes(const GraphIndex& index, const Entities& entities, const Caps& caps, Timestamp now);

}  // namespace knapsack::graph

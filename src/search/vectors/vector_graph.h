// VectorGraph: finds vectors near one without looking at all of them (HNSW, from hnswlib).
//
// Each vector is linked with some of its nearest; a search follows links. That misses a few of the nearest,
// so it is for collections where looking at all takes too long. It keeps links only: vectors stay where they
// are, and every distance is the dot product that an exact scan computes. Built by one thread from a fixed
// seed, the same vectors in the same order give the same graph. One thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "search/vectors/vector_rows.h"

namespace knapsack::search {

// Links a vector, twice as many on the lowest level, where all vectors are; what is looked at for a place in
// the graph and, at least, for an answer. The authors of HNSW take 16 and 200 for vectors of these sizes.
inline constexpr uint32_t kGraphLinks = 16;
inline constexpr size_t kGraphBuildBreadth = 200;
inline constexpr size_t kGraphSearchBreadth = 200;

// The vectors of a graph's nodes, of one encoding and length.
struct GraphVectors {
  struct Place {
    uint32_t table = 0;
    uint32_t row = 0;
  };
  std::vector<VectorRows> tables;  // views; whoever owns the bytes outlives the graph
  std::vector<Place> places;       // of each node
};

class VectorGraph {
 public:
  // `progress` hears of nodes that are done, now and then.
  static Result<VectorGraph> build(GraphVectors vectors, const std::function<void(size_t)>& progress = {});
  // From what links() gave for as many nodes; kCorrupt for what is not that. Any bytes are safe.
  static Result<VectorGraph> read(std::string_view links, GraphVectors vectors);

  VectorGraph(VectorGraph&&) noexcept;
  VectorGraph& operator=(VectorGraph&&) noexcept;
  ~VectorGraph();

  size_t size() const;
  std::string links() const;
  // About the k nearest among the nodes that are `live` (one flag a node), best first, then the smaller node.
  // Scores are exact.
  Result<std::vector<Neighbour>> nearest(const VectorProbe& probe, size_t k, const std::vector<bool>& live);

 private:
  struct State;
  explicit VectorGraph(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace knapsack::search

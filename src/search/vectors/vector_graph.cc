#include "search/vectors/vector_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <unordered_map>

// Its own arithmetic differs from machine to machine; ours does not.
#define NO_MANUAL_VECTORIZATION
#include <hnswlib/hnswlib.h>

#include "core/byte_reader.h"

namespace knapsack::search {
namespace {

constexpr size_t kSeed = 100;
constexpr uint32_t kMaxLevels = 64;  // of 2^64 nodes with 16 links there would be 16
constexpr size_t kProgressStep = 1'000;
constexpr uint32_t kProbeNode = 0xffff'ffff;  // stands for the probe of a search

using Graph = hnswlib::HierarchicalNSW<float>;

// What hnswlib keeps of a vector is the number of its node.
class NodeSpace final : public hnswlib::SpaceInterface<float> {
 public:
  explicit NodeSpace(GraphVectors vectors) : vectors_(std::move(vectors)) {}

  size_t get_data_size() override { return sizeof(uint32_t); }
  hnswlib::DISTFUNC<float> get_dist_func() override { return &distance; }
  void* get_dist_func_param() override { return this; }

  size_t size() const { return vectors_.places.size(); }
  void compare_with(const VectorProbe* probe) { probe_ = probe; }
  float score(const VectorProbe& probe, uint32_t node) const {
    const GraphVectors::Place place = vectors_.places[node];
    return probe.score(vectors_.tables[place.table], place.row);
  }

 private:
  static float distance(const void* a, const void* b, const void* space) {
    uint32_t left = 0, right = 0;
    std::memcpy(&left, a, sizeof left);
    std::memcpy(&right, b, sizeof right);
    const auto& self = *static_cast<const NodeSpace*>(space);
    if (left == kProbeNode) return 1 - self.score(*self.probe_, right);
    const GraphVectors::Place one = self.vectors_.places[left], other = self.vectors_.places[right];
    return 1 - row_product(self.vectors_.tables[one.table], one.row, self.vectors_.tables[other.table],
                           other.row);
  }

  GraphVectors vectors_;
  const VectorProbe* probe_ = nullptr;
};

Error failed(const std::exception& exception) {
  return {ErrorCode::kInternal, fmt::format("the graph of vectors failed: {}", exception.what()), ""};
}

uint32_t most_links(uint32_t level) {
  return level == 0 ? 2 * kGraphLinks : kGraphLinks;
}

}  // namespace

struct VectorGraph::State {
  explicit State(GraphVectors vectors)
      : space(std::move(vectors)), graph(&space, space.size(), kGraphLinks, kGraphBuildBreadth, kSeed) {}

  // Gives every node its place; links are not there yet.
  void place_nodes(std::string_view levels) {
    for (uint32_t node = 0; node < levels.size(); ++node) {
      char* const own = graph.data_level0_memory_ + size_t{node} * graph.size_data_per_element_;
      std::memset(own, 0, graph.size_data_per_element_);
      std::memcpy(graph.getDataByInternalId(node), &node, sizeof node);
      graph.setExternalLabel(node, node);
      const auto level = static_cast<uint8_t>(levels[node]);
      if (level > 0) {
        graph.linkLists_[node] = static_cast<char*>(std::calloc(level, graph.size_links_per_element_));
        if (graph.linkLists_[node] == nullptr) throw std::bad_alloc();
      }
      graph.element_levels_[node] = level;
      graph.cur_element_count = node + 1;  // what its destructor frees
    }
  }

  // False for links that lead nowhere.
  bool read_links(ByteReader& reader, uint32_t node, uint32_t level) {
    const auto count = reader.number<uint32_t>();
    const std::string_view targets = reader.take(size_t{count} * sizeof(uint32_t));
    if (reader.failed() || count > most_links(level)) return false;
    uint32_t* const list = graph.get_linklist_at_level(node, static_cast<int>(level));
    graph.setListCount(list, static_cast<unsigned short>(count));
    std::memcpy(list + 1, targets.data(), targets.size());
    return std::all_of(list + 1, list + 1 + count, [&](uint32_t target) {
      return target < graph.cur_element_count && graph.element_levels_[target] >= static_cast<int>(level);
    });
  }

  // Marks are hnswlib's own for what a search passes through and does not return.
  void show_only(const std::vector<bool>& live) {
    for (uint32_t node = 0; node < graph.cur_element_count; ++node) {
      if (live[node] != graph.isMarkedDeleted(node)) continue;
      if (live[node]) {
        graph.unmarkDeletedInternal(node);
      } else {
        graph.markDeletedInternal(node);
      }
    }
  }

  NodeSpace space;
  Graph graph;
};

VectorGraph::VectorGraph(std::unique_ptr<State> state) : state_(std::move(state)) {}
VectorGraph::VectorGraph(VectorGraph&&) noexcept = default;
VectorGraph& VectorGraph::operator=(VectorGraph&&) noexcept = default;
VectorGraph::~VectorGraph() = default;

size_t VectorGraph::size() const {
  return state_->graph.cur_element_count;
}

Result<VectorGraph> VectorGraph::build(GraphVectors vectors, const std::function<void(size_t)>& progress) {
  try {
    auto state = std::make_unique<State>(std::move(vectors));
    for (uint32_t node = 0; node < state->space.size(); ++node) {
      state->graph.addPoint(&node, node, -1);
      if (progress && (node + 1) % kProgressStep == 0) progress(node + 1);
    }
    return VectorGraph(std::move(state));
  } catch (const std::exception& exception) {
    return failed(exception);
  }
}

std::string VectorGraph::links() const {
  const Graph& graph = state_->graph;
  const auto count = static_cast<uint32_t>(graph.cur_element_count);
  std::string bytes;
  append_number(bytes, count);
  append_number(bytes, count == 0 ? 0 : graph.enterpoint_node_);
  for (uint32_t node = 0; node < count; ++node)
    append_number(bytes, static_cast<uint8_t>(graph.element_levels_[node]));
  for (uint32_t node = 0; node < count; ++node) {
    for (int level = 0; level <= graph.element_levels_[node]; ++level) {
      uint32_t* const list = graph.get_linklist_at_level(node, level);
      const uint32_t size = graph.getListCount(list);
      append_number(bytes, size);
      bytes.append(reinterpret_cast<const char*>(list + 1), size * sizeof(uint32_t));
    }
  }
  return bytes;
}

Result<VectorGraph> VectorGraph::read(std::string_view links, GraphVectors vectors) {
  const Error wrong{ErrorCode::kCorrupt, "not the links of these vectors", ""};
  ByteReader reader(links);
  const auto count = reader.number<uint32_t>();
  const auto entry = reader.number<uint32_t>();
  if (reader.failed() || count != vectors.places.size()) return wrong;
  const std::string_view levels = reader.take(count);
  if (reader.failed() || (count > 0 && entry >= count)) return wrong;
  const auto highest = count == 0 ? 0 : static_cast<uint8_t>(levels[entry]);
  for (const char level : levels) {
    if (static_cast<uint8_t>(level) > std::min<uint32_t>(highest, kMaxLevels)) return wrong;
  }
  try {
    auto state = std::make_unique<State>(std::move(vectors));
    state->place_nodes(levels);
    for (uint32_t node = 0; node < count; ++node) {
      for (uint32_t level = 0; level <= static_cast<uint8_t>(levels[node]); ++level) {
        if (!state->read_links(reader, node, level)) return wrong;
      }
    }
    if (reader.failed() || !reader.at_end()) return wrong;
    if (count > 0) {
      state->graph.enterpoint_node_ = entry;
      state->graph.maxlevel_ = highest;
    }
    return VectorGraph(std::move(state));
  } catch (const std::exception& exception) {
    return failed(exception);
  }
}

Result<std::vector<Neighbour>> VectorGraph::nearest(const VectorProbe& probe, size_t k,
                                                    const std::vector<bool>& live) {
  if (live.size() != size()) return Error{ErrorCode::kInternal, "flags and nodes differ in number", ""};
  std::vector<Neighbour> found;
  try {
    state_->show_only(live);
    state_->space.compare_with(&probe);
    state_->graph.setEf(std::max(k, kGraphSearchBreadth));
    auto near = state_->graph.searchKnn(&kProbeNode, k);
    for (; !near.empty(); near.pop()) {
      const auto node = static_cast<uint32_t>(near.top().second);
      found.push_back({node, state_->space.score(probe, node)});
    }
    state_->space.compare_with(nullptr);
  } catch (const std::exception& exception) {
    return failed(exception);
  }
  std::sort(found.begin(), found.end(), nearer);
  return found;
}

}  // namespace knapsack::search

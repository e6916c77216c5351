// What VectorStore does about its graph.
#include <algorithm>

#include "search/vectors/vector_store.h"

namespace knapsack::search {
namespace {

// Vectors outside of the graph are looked at one by one; beyond this share of the exact limit they are worth
// a new graph.
constexpr size_t kMaxOutside = 4;

}  // namespace

bool VectorStore::wants_graph() const {
  if (places_.size() <= options_.exact_limit) return false;
  const size_t inside = graph_ ? graph_->size() : 0;
  return places_.size() - inside > options_.exact_limit / kMaxOutside;
}

// Of several the first that can be used; all others go.
Status VectorStore::load_graph() {
  graph_.reset();
  KNAPSACK_TRY(const auto entries, files_->list(folder_));
  for (const DirectoryEntry& entry : entries) {
    if (entry.kind != FileKind::kRegular || !entry.name.ends_with(kGraphFileEnding)) continue;
    if (!graph_ && places_.size() > options_.exact_limit) {
      const auto file = open_graph_file(*files_, folder_, entry.name, space_);
      if (file.ok() && take_graph(*file).ok()) continue;
      const bool gone = !file.ok() && file.error().code == ErrorCode::kNotFound;
      if (!gone && !file.ok() && file.error().code != ErrorCode::kCorrupt) return file.error();
    }
    KNAPSACK_CHECK(remove_if_there(*files_, join_path(folder_, entry.name)));
  }
  return ok_status();
}

// kCorrupt where a node has no vector here, or links lead nowhere.
Status VectorStore::take_graph(const GraphFile& file) {
  GraphVectors vectors;
  for (const VectorFile& each : opened_) vectors.tables.push_back(each.rows());
  std::vector<Place*> nodes;
  for (uint32_t node = 0; node < file.count; ++node) {
    const auto place = places_.find(file.hash(node));
    if (place == places_.end()) return Error{ErrorCode::kCorrupt, "a graph of vectors that are gone", ""};
    nodes.push_back(&place->second);
    vectors.places.push_back({place->second.file, place->second.row});
  }
  KNAPSACK_TRY(graph_, VectorGraph::read(file.links, std::move(vectors)));
  for (auto& [hash, place] : places_) place.node = kNoNode;
  for (uint32_t node = 0; node < nodes.size(); ++node) nodes[node]->node = node;
  return ok_status();
}

Status VectorStore::build_graph(const std::function<void(size_t)>& progress) {
  // In the order of hashes: what the graph is must not depend on which file a vector came in.
  std::vector<std::string_view> hashes;
  for (const auto& [hash, place] : places_) hashes.push_back(hash);
  std::sort(hashes.begin(), hashes.end());
  GraphVectors vectors;
  for (const VectorFile& each : opened_) vectors.tables.push_back(each.rows());
  std::string joined;
  for (const std::string_view hash : hashes) {
    const Place& place = places_.at(hash);
    vectors.places.push_back({place.file, place.row});
    joined += hash;
  }
  KNAPSACK_TRY(const VectorGraph built, VectorGraph::build(std::move(vectors), progress));
  {
    KNAPSACK_TRY(const auto lock, hold());
    KNAPSACK_TRY(const std::string name, write_graph_file(*files_, folder_, space_, joined, built.links()));
    KNAPSACK_TRY(const auto entries, files_->list(folder_));
    for (const DirectoryEntry& entry : entries) {
      if (entry.name.ends_with(kGraphFileEnding) && entry.name != name)
        KNAPSACK_CHECK(remove_if_there(*files_, join_path(folder_, entry.name)));
    }
  }
  return load_graph();
}

// False where the graph fails, and everything is to be looked at.
bool VectorStore::find_by_graph(const std::vector<VectorUnit>& units, const VectorProbe& probe, size_t k,
                                std::vector<UnitNeighbour>& scored) {
  std::vector<bool> live(graph_->size());
  std::vector<std::pair<uint32_t, uint32_t>> units_of_nodes;  // a text may be in several places
  for (const VectorUnit& each : units) {
    const auto found = places_.find(each.hash);
    if (found == places_.end()) continue;
    const Place& place = found->second;
    if (place.node == kNoNode) {
      scored.push_back({each.unit, score(probe, place)});
      continue;
    }
    live[place.node] = true;
    units_of_nodes.emplace_back(place.node, each.unit);
  }
  const auto near = graph_->nearest(probe, k, live);
  if (!near.ok()) return false;
  std::sort(units_of_nodes.begin(), units_of_nodes.end());
  for (const Neighbour& each : *near) {
    auto unit =
        std::lower_bound(units_of_nodes.begin(), units_of_nodes.end(), std::pair{each.row, uint32_t{0}});
    for (; unit != units_of_nodes.end() && unit->first == each.row; ++unit)
      scored.push_back({unit->second, each.score});
  }
  return true;
}

}  // namespace knapsack::search

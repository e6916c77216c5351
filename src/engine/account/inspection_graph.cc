// The parts of Inspection that look at the graph: its nodes with their edges, a node's revisions.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "core/escape.h"
#include "engine/account/inspection.h"
#include "engine/recipes/graph/graph_session.h"
#include "graph/store/node_check.h"
#include "text/parse_json.h"

namespace knapsack {
namespace {

using nlohmann::json;

constexpr uint64_t kMaxScannedBytes = uint64_t{256} << 20U;
constexpr size_t kMaxRevisions = 200;

const char* edge_name(graph::ReferenceKind kind) {
  switch (kind) {
    case graph::ReferenceKind::kDependency:
      return "depends_on";
    case graph::ReferenceKind::kBlocks:
      return "blocks";
    case graph::ReferenceKind::kSupersedes:
      return "supersedes";
    case graph::ReferenceKind::kLink:
      break;
  }
  return "link";
}

std::string time_of(int64_t micros) {
  return micros == graph::kNoTime ? "" : graph::stored_time({micros});
}

std::string text_of(const json& node, const char* key) {
  const auto found = node.find(key);
  return found != node.end() && found->is_string() ? found->get<std::string>() : "";
}

// The newest first; of the same age by id.
std::vector<uint32_t> newest_nodes(const graph::GraphIndex& index, size_t limit) {
  std::vector<uint32_t> chosen;
  for (uint32_t node = 0; node < index.size(); ++node) {
    if (index.node(node).exists()) chosen.push_back(node);
  }
  std::sort(chosen.begin(), chosen.end(), [&](uint32_t a, uint32_t b) {
    const int64_t at_a = index.node(a).updated, at_b = index.node(b).updated;
    return at_a != at_b ? at_a > at_b : index.id(a) < index.id(b);
  });
  chosen.resize(std::min(chosen.size(), limit));
  return chosen;
}

// The revisions of one id among the lines of its file, from the end.
std::vector<GraphRevision> revisions_in(std::string_view bytes, std::string_view id, uint64_t latest_offset) {
  std::vector<GraphRevision> found;
  uint64_t number = 0;
  for (size_t begin = 0; begin < bytes.size();) {
    const size_t end = std::min(bytes.find('\n', begin), bytes.size());
    const std::string_view line = bytes.substr(begin, end - begin);
    ++number;
    // Most lines are of other nodes and need not be parsed to know.
    if (line.find(id) != std::string_view::npos && !graph::is_nested_too_deep(line)) {
      json node = parse_json(line);
      if (node.is_object() && text_of(node, "id") == id) {
        redact_json(node);
        found.push_back(
            {node.dump(2, ' ', false, json::error_handler_t::replace), begin == latest_offset, number});
      }
    }
    begin = end + 1;
  }
  std::reverse(found.begin(), found.end());
  std::stable_sort(found.begin(), found.end(),
                   [](const GraphRevision& a, const GraphRevision& b) { return a.latest && !b.latest; });
  found.resize(std::min(found.size(), kMaxRevisions));
  return found;
}

}  // namespace

Result<GraphMap> Inspection::graph_map(size_t limit) const {
  KNAPSACK_TRY(GraphSession session, GraphSession::open(*state_, {}));
  KNAPSACK_CHECK(session.read(GraphSession::Access::kRead));
  const graph::GraphIndex& index = session.index;
  GraphMap map;
  map.folder = session.shown_as;
  for (const graph::Layer layer : graph::kLayers) map.all += index.count(layer);
  const std::vector<uint32_t> chosen = newest_nodes(index, limit);
  std::unordered_map<uint32_t, uint32_t> places;
  for (const uint32_t number : chosen) {
    uint64_t secrets = 0;
    KNAPSACK_TRY(const json heading, session.shown_heading(number, secrets));
    const graph::NodeRecord& record = index.node(number);
    places.emplace(number, static_cast<uint32_t>(map.nodes.size()));
    map.nodes.push_back({text_of(heading, "id"), std::string(to_string(record.layer)),
                         text_of(heading, "type"), text_of(heading, "title"),
                         std::string(to_string(record.state)), time_of(record.updated), record.revisions});
  }
  for (const uint32_t number : chosen) {
    for (const graph::Reference& reference : index.references(number)) {
      const auto target = places.find(reference.target);
      if (target == places.end() || reference.target == number) continue;
      map.edges.push_back({places.at(number), target->second, edge_name(reference.kind)});
    }
  }
  return map;
}

Result<GraphRevisions> Inspection::graph_revisions(const std::string& id) const {
  KNAPSACK_TRY(GraphSession session, GraphSession::open(*state_, {}));
  KNAPSACK_CHECK(session.read(GraphSession::Access::kRead));
  const auto number = session.index.find_any_case(id);
  if (!number)
    return Error{ErrorCode::kNotFound, fmt::format("{} has no node {}", session.shown_as, escape_control(id)),
                 ""};
  const graph::StoredFile& file = session.view.file(session.index.node(*number).layer);
  if (file.size > kMaxScannedBytes)
    return Error{ErrorCode::kLimit, fmt::format("{} is too large to look for old revisions", file.path), ""};
  KNAPSACK_TRY(const std::string bytes, graph::read_all(session.files(), file));
  GraphRevisions found;
  found.id = session.index.id(*number);
  found.file = relative_to(state_->workspace.path, file.path);
  found.revisions = revisions_in(bytes, found.id, session.index.history(*number).line.offset);
  return found;
}

}  // namespace knapsack

#include "engine/recipes/graph/graph_context_pack.h"

#include <map>
#include <nlohmann/json.hpp>

#include "graph/select/selection.h"
#include "graph/store/commits.h"
#include "text/parse_json.h"

namespace knapsack {

using nlohmann::json;

Status add_graph_state(const GraphSession& session, const json& changed, Timestamp now,
                       graph::Change& change) {
  std::map<std::string, const json*> by_id;  // as they will be: the files do not have them yet
  graph::Entities entities;
  for (const json& node : changed) by_id[node.at("id").get<std::string>()] = &node;
  for (const auto& [id, node] : by_id) {
    if (const auto number = session.index.find(id)) entities.found.push_back({*number, true, {}, 0});
  }
  const graph::Caps caps{session.settings.graph_max_tasks, session.settings.graph_max_kg,
                         session.settings.graph_max_rg};
  const graph::Selection selection = select_nodes(session.index, entities, caps, now);
  json pack = parse_json(change.pack);
  pack["active_tasks"] = json::array();
  const std::pair<graph::Layer, const char*> snapshots[] = {{graph::Layer::kTask, "task_snapshot"},
                                                            {graph::Layer::kReasoning, "decision_snapshot"},
                                                            {graph::Layer::kKnowledge, "knowledge_snapshot"}};
  for (const auto& [layer, key] : snapshots) {
    pack[key] = json::array();
    for (const graph::SelectedNode& each : selection.of(layer).chosen) {
      const std::string id(session.index.id(each.node));
      if (layer == graph::Layer::kTask && is_active(session.index.node(each.node).state))
        pack["active_tasks"].push_back(id);
      uint64_t secrets = 0;
      if (const auto known = by_id.find(id); known != by_id.end()) {
        pack[key].push_back(*known->second);
      } else {
        KNAPSACK_TRY(json node, session.shown_node(each.node, secrets));
        pack[key].push_back(std::move(node));
      }
    }
  }
  KNAPSACK_TRY(const std::string log, read_all(session.files(), session.view.commits));
  KNAPSACK_TRY(const graph::Deltas deltas, recent_deltas(session.index, log + change.commit.bytes,
                                                         {{}, {}, now}, session.settings.graph_max_deltas));
  pack["recent_deltas"] = json::array();
  for (const graph::Delta& delta : deltas.rows) {
    json row = {
        {"layer", to_string(delta.layer)}, {"id", delta.id}, {"change", delta.change}, {"at", delta.at}};
    if (!delta.commit_id.empty()) row["commit_id"] = delta.commit_id;
    pack["recent_deltas"].push_back(std::move(row));
  }
  change.pack = pack.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
  return ok_status();
}

}  // namespace knapsack

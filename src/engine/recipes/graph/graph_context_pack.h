// What a context pack tells beside its commit: the graph as it is afterwards, seen from what was changed.
// Private to engine/recipes/graph/.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/recipes/graph/graph_session.h"
#include "graph/store/change.h"

namespace knapsack {

// Adds active tasks, snapshots of tasks, decisions and knowledge within the caps, and recent changes to the pack of a
// planned change. `session.index` is the graph as it will be; `changed` are the nodes of the change, without secrets.
Status add_graph_state(const GraphSession& session, const nlohmann::json& changed, Timestamp now,
                       graph::Change& change);

}  // namespace knapsack

// The rules of a single node: which fields it must have and what may stand in them. `put` refuses what breaks
// them, `validate` reports it. docs/schemas/graph-node.schema.json says the same. Pure functions; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "graph/store/node.h"

namespace knapsack::graph {

// What is wrong with a node of this layer, one line each; empty when nothing is. Unknown fields are welcome.
std::vector<std::string> node_problems(const nlohmann::json& node, Layer layer);

// The types that a layer knows, for ids and messages.
std::vector<std::string_view> types_of(Layer layer);

// Deeper than kMaxDepth: what is not parsed, because others may walk it by recursion.
bool is_nested_too_deep(std::string_view json);

}  // namespace knapsack::graph

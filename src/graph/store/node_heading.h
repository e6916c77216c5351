// The heading of a node: what its title line says, read from its stored line without the rest of it.
//
// Most nodes that a packet accounts for are only named in it, and a node can be long.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace knapsack::graph {

// A node with those of id, type, title, status and outcome.status that are texts; null for what is no node.
nlohmann::json read_heading(std::string_view line);

}  // namespace knapsack::graph

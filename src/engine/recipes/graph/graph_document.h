// The request pack: everything about an answer from the graph, for programs. What `graph pack --format json`
// prints and what is kept under request_context_packs/. docs/schemas/graph-request-pack.schema.json describes
// it.
//
// It is about the packet: the budget counts what the packet shows as Markdown (or prompt) text.
// Private to engine/recipes/graph/.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/recipes/graph/graph_recipe.h"

namespace knapsack {

struct RequestIdentity {
  std::string id;
  int64_t seq = 0;
};

nlohmann::ordered_json graph_document(const GraphSession& session, const GraphAnswer& answer,
                                      const GraphPacket& made, const RequestIdentity& identity);

}  // namespace knapsack

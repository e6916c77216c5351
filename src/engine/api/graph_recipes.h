// GraphRecipes: the graph of knowledge, decisions and tasks. A part of Engine (engine/engine.h), which owns the state; one thread at a time.
#pragma once

#include "core/result.h"
#include "engine/api/graph_requests.h"

namespace knapsack {

struct EngineState;

class GraphRecipes {
 public:
  // The graph of knowledge, decisions and tasks in graphs/.
  Result<GraphInitReply> graph_init(const GraphRequest& request);
  // Appends revisions of nodes with a commit: all of them or none.
  Result<GraphPutReply> graph_put(const GraphPutRequest& request);
  Result<GraphShowReply> graph_show(const GraphShowRequest& request);
  Result<GraphValidateReply> graph_validate(const GraphRequest& request);
  // The nodes that a request needs, with what changed lately.
  Result<GraphPackReply> graph_pack(const GraphPackRequest& request);
  // The first half of it, for who has to try several budgets. A lock that it needs is held until it is gone.
  Result<std::unique_ptr<GatheredGraph>> gather_graph(const GraphPackRequest& request);

 protected:
  explicit GraphRecipes(EngineState& state) : state_(&state) {}
  ~GraphRecipes() = default;

 private:
  EngineState* state_;
};

}  // namespace knapsack

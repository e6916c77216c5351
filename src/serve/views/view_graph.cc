// The views of the graph: its nodes with their edges, and one node with its revisions.
#include "serve/schema.h"
#include "serve/views/views.h"

namespace knapsack::serve {
namespace {

constexpr uint64_t kMapNodes = 2'000;
constexpr uint64_t kMaxMapNodes = 5'000;

Result<Json> graph_map(const ViewCall& call) {
  KNAPSACK_TRY(const GraphMap map, call.inspection.graph_map(call.whole("limit")));
  Json nodes = Json::array();
  for (const GraphMapNode& node : map.nodes) {
    nodes.push_back({{"id", node.id},
                     {"layer", node.layer},
                     {"type", node.type},
                     {"title", node.title},
                     {"state", node.state},
                     {"updated", node.updated},
                     {"revisions", node.revisions}});
  }
  Json edges = Json::array();
  for (const GraphMapEdge& edge : map.edges)
    edges.push_back({{"from", edge.from}, {"to", edge.to}, {"kind", edge.kind}});
  return Json{
      {"folder", map.folder}, {"nodes", std::move(nodes)}, {"edges", std::move(edges)}, {"all", map.all}};
}

Result<Json> graph_node(const ViewCall& call) {
  GraphShowRequest request;
  request.id = call.text("id");
  KNAPSACK_TRY(const GraphShowReply shown, call.engine.graph_show(request));
  KNAPSACK_TRY(const GraphRevisions found, call.inspection.graph_revisions(request.id));
  Json revisions = Json::array();
  for (const GraphRevision& each : found.revisions)
    revisions.push_back({{"json", each.json}, {"latest", each.latest}, {"line", each.line}});
  return Json{
      {"id", found.id}, {"file", found.file}, {"text", shown.text}, {"revisions", std::move(revisions)}};
}

}  // namespace

std::vector<ViewEntry> graph_views() {
  using namespace schema;
  return {
      {{"graph_map", "The nodes of the graph with their edges", "",
        object({{"limit", whole(1, kMaxMapNodes, kMapNodes, "The newest so many nodes")}}),
        object(
            {{"folder!", any_text()},
             {"nodes!", rows(object({{"id!", any_text()},
                                     {"layer!", any_text()},
                                     {"type!", any_text()},
                                     {"title!", any_text()},
                                     {"state!", any_text()},
                                     {"updated!", any_text()},
                                     {"revisions!", any_whole()}}))},
             {"edges!", rows(object({{"from!", any_whole()}, {"to!", any_whole()}, {"kind!", any_text()}}))},
             {"all!", any_whole()}})},
       graph_map},
      {{"graph_node", "One node with its revisions", "", object({{"id!", text(kMaxNameCharacters)}}),
        object({{"id!", any_text()},
                {"file!", any_text()},
                {"text!", any_text()},
                {"revisions!",
                 rows(object({{"json!", any_text()}, {"latest!", any_flag()}, {"line!", any_whole()}}))}})},
       graph_node},
  };
}

}  // namespace knapsack::serve

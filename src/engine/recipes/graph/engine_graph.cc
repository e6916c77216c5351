// The methods of Engine that keep the graph: creating, changing, showing and checking it.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/ascii.h"
#include "core/nearest.h"
#include "engine/recipes/graph/graph_context_pack.h"
#include "engine/recipes/graph/graph_session.h"
#include "graph/store/node_text.h"
#include "graph/store/put.h"
#include "graph/store/validate.h"
#include "text/parse_json.h"

namespace knapsack {
namespace {

using nlohmann::json;

constexpr size_t kShownReferrers = 20;

Error unknown_node(const GraphSession& session, const std::string& id) {
  std::vector<std::string> ids;
  for (uint32_t node = 0; node < session.index.size(); ++node) {
    if (session.index.node(node).exists()) ids.emplace_back(session.index.id(node));
  }
  // Ids are found in any case, so they are near in any case too.
  std::string wanted = id;
  std::transform(wanted.begin(), wanted.end(), wanted.begin(), [](char c) { return ascii::upper(c); });
  const std::string near = nearest_name(wanted, ids);
  return {ErrorCode::kNotFound, fmt::format("{} has no node {}", session.shown_as, id),
          near.empty() ? "put one with `knapsack graph put`" : fmt::format("did you mean {}?", near)};
}

std::string referrers(const GraphSession& session, uint32_t number) {
  std::vector<std::string> ids;
  for (uint32_t node = 0; node < session.index.size(); ++node) {
    const auto references = session.index.references(node);
    const bool refers = std::any_of(references.begin(), references.end(),
                                    [&](const graph::Reference& each) { return each.target == number; });
    if (refers) ids.emplace_back(session.index.id(node));
  }
  if (ids.empty()) return "";
  std::sort(ids.begin(), ids.end());
  const size_t more = ids.size() > kShownReferrers ? ids.size() - kShownReferrers : 0;
  ids.resize(ids.size() - more);
  return fmt::format("referred to by {}{}\n", fmt::join(ids, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace

Result<GraphInitReply> GraphRecipes::graph_init(const GraphRequest& request) {
  KNAPSACK_TRY(GraphSession session, GraphSession::open(*state_, request.settings));
  state_->tell_refused(session.settings);
  GraphInitReply reply;
  KNAPSACK_TRY(reply.created, graph::create_store(session.files(), session.folder));
  reply.folder = session.shown_as;
  return reply;
}

Result<GraphPutReply> GraphRecipes::graph_put(const GraphPutRequest& request) {
  KNAPSACK_TRY(GraphSession session, GraphSession::open(*state_, request.settings));
  state_->tell_refused(session.settings);
  KNAPSACK_CHECK(session.lock());
  KNAPSACK_CHECK(session.read(GraphSession::Access::kWrite));
  const Timestamp now = state_->clock->now();
  KNAPSACK_TRY(const auto nodes, plan_put(session.files(), session.view, session.index, request.nodes, now));
  json shown = json::array();
  for (const auto& node : nodes) redact_json(shown.emplace_back(parse_json(node.line)));
  KNAPSACK_TRY(graph::Change change, plan_change(session.files(), session.view, nodes, shown,
                                                 {"put", "nodes were put", "", {}}, now));
  KNAPSACK_CHECK(add_graph_state(session, shown, now, change));
  KNAPSACK_CHECK(make_change(session.files(), session.folder, change));
  GraphPutReply reply;
  reply.commit_id = change.commit_id;
  reply.context_pack = join_path(session.shown_as, change.pack_path);
  for (const auto& node : nodes) reply.nodes.push_back({node.id, node.rev});
  return reply;
}

Result<GraphShowReply> GraphRecipes::graph_show(const GraphShowRequest& request) {
  KNAPSACK_TRY(GraphSession session, GraphSession::open(*state_, request.settings));
  state_->tell_refused(session.settings);
  session.finish_interrupted_change();
  KNAPSACK_CHECK(session.read(GraphSession::Access::kRead));
  const auto number = session.index.find_any_case(request.id);
  if (!number) return unknown_node(session, request.id);
  KNAPSACK_TRY(const json stored, session.stored_node(*number));
  uint64_t secrets = 0;
  KNAPSACK_TRY(const json shown, session.shown_node(*number, secrets));
  const graph::NodeRecord& record = session.index.node(*number);
  const graph::NodeHistory& history = session.index.history(*number);
  GraphShowReply reply;
  reply.json = stored.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
  reply.text = forms_of(shown, record.layer, "").front().text;
  reply.text += referrers(session, *number);
  reply.text += fmt::format(
      "{} {}, updated {}\n",
      history.has_rev != 0 ? fmt::format("revision {},", history.rev) : "without a revision number,",
      record.revisions == 1 ? "the only one" : fmt::format("the latest of {}", record.revisions),
      record.updated == graph::kNoTime ? "never" : graph::stored_time({record.updated}));
  return reply;
}

Result<GraphValidateReply> GraphRecipes::graph_validate(const GraphRequest& request) {
  KNAPSACK_TRY(GraphSession session, GraphSession::open(*state_, request.settings));
  state_->tell_refused(session.settings);
  session.finish_interrupted_change();
  KNAPSACK_TRY(session.view, graph::open_store(session.files(), session.folder));
  KNAPSACK_TRY(const graph::Validation found, graph::validate_store(session.files(), session.view));
  GraphValidateReply reply;
  for (const graph::Finding& each : found.findings) {
    reply.findings.push_back({each.error, each.problem.file, each.problem.line, each.problem.reason});
  }
  reply.knowledge = found.nodes[0];
  reply.decisions = found.nodes[1];
  reply.tasks = found.nodes[2];
  reply.revisions = found.revisions;
  reply.commits = found.commits;
  reply.errors = found.errors();
  return reply;
}

}  // namespace knapsack

// The tools of the graph: graph_pack, graph_show, graph_put, graph_clarify.
#include <fmt/format.h>

#include <algorithm>

#include "serve/call.h"
#include "serve/packet_reply.h"
#include "serve/reply_fit.h"
#include "serve/schema.h"

namespace knapsack::serve {
namespace {

constexpr uint64_t kGraphTokens = 4'000;
constexpr uint64_t kMaxGraphNodes = 1'000;  // that a cap may allow

GraphPackRequest graph_request(const Call& call) {
  GraphPackRequest request;
  request.request = call.text("request");
  if (call.arguments.contains("intent")) request.intent = call.text("intent");
  request.settings["graph.tokenizer"] = kReplyCounter;
  for (const char* cap : {"max_tasks", "max_kg", "max_rg", "max_deltas"}) {
    if (const auto given = call.number(cap))
      request.settings[std::string("graph.") + cap] = std::to_string(static_cast<uint64_t>(*given));
  }
  if (const std::string commit = call.text("commit_id"); !commit.empty()) request.commit_id = commit;
  request.keep_copy = false;  // a tool that only reads leaves the graph's folder as it is
  return request;
}

Result<ToolReply> graph_pack(const Call& call) {
  GraphPackRequest request = graph_request(call);
  request.budget = call.max_tokens();
  KNAPSACK_TRY(const auto gathered, call.engine.gather_graph(request));
  return fit_gathered(call, *gathered);
}

Result<ToolReply> graph_clarify(const Call& call) {
  GraphPackRequest request = graph_request(call);
  request.apply_clarify_task = true;
  request.budget = 0;  // only the task is of interest
  KNAPSACK_TRY(const GraphPackReply reply, call.engine.graph_pack(request));
  const std::string& id = reply.clarify_task_id;
  return make_reply(call,
                    id.empty()
                        ? std::string("Nothing that the request needs is missing; no task was written.")
                        : fmt::format("{} asks for the missing information.", id),
                    {{"id", id}});
}

Result<ToolReply> graph_show(const Call& call) {
  KNAPSACK_TRY(const GraphShowReply reply, call.engine.graph_show({{}, call.text("id")}));
  std::vector<std::string> lines;
  for (size_t at = 0; at < reply.text.size();) {
    const size_t end = std::min(reply.text.find('\n', at), reply.text.size() - 1) + 1;
    lines.push_back(reply.text.substr(at, end - at));
    at = end;
  }
  return fit_rows(call, lines.size(), [&](size_t shown) {
    std::string text;
    for (size_t i = 0; i < shown; ++i) text += lines[i];
    return make_reply(call, std::move(text), {{"left_out", lines.size() - shown}});
  });
}

Result<ToolReply> graph_put(const Call& call) {
  const std::string nodes = call.arguments.at("nodes").dump(-1, ' ', false, Json::error_handler_t::replace);
  KNAPSACK_TRY(const GraphPutReply reply, call.engine.graph_put({{}, nodes}));
  std::vector<std::string> ids;
  std::string told;
  for (const GraphPutReply::Node& node : reply.nodes) {
    ids.push_back(node.id);
    told += fmt::format("{}{} revision {}", told.empty() ? "" : ", ", node.id, node.rev);
  }
  return make_reply(call, fmt::format("{}; committed as {}.", told, reply.commit_id),
                    {{"commit_id", reply.commit_id}, {"ids", ids}});
}

Json cap() {
  return {{"type", "integer"}, {"minimum", 0}, {"maximum", kMaxGraphNodes}};
}

}  // namespace

std::vector<ToolEntry> graph_tools() {
  using namespace schema;
  const Json request = text(kMaxTextCharacters);
  const Json intent = one_of({"auto", "plan", "execute", "explain", "debug", "research"}, "auto");
  return {
      {{"graph_pack", "Pack from the knowledge graph",
        "Tasks with the tasks they wait for, knowledge and decisions from graphs/. Only if there is such a "
        "folder; pack has it too.",
        object({{"request!", request},
                {"intent", intent},
                {"commit_id", text(kMaxNameCharacters, "Changes from it on")},
                {"max_tasks", cap()},
                {"max_kg", cap()},
                {"max_rg", cap()},
                {"max_deltas", cap()},
                {"max_tokens", max_tokens(kGraphTokens)}}),
        packet_schema()},
       graph_pack},
      {{"graph_show", "Show a node of the graph",
        "One node of graphs/ with who refers to it. Use it for an id that a packet names.",
        object({{"id!", text(kMaxNameCharacters)}, {"max_tokens", max_tokens(kGraphTokens)}}),
        object({{"workspace!", any_text()}, {"left_out", any_whole()}, {"text!", any_text()}})},
       graph_show},
      {.tool = {.name = "graph_put",
                .title = "Write nodes of the graph",
                .description = "Adds nodes or new revisions, all or none; use it for decisions and tasks "
                               "that should last. A node "
                               "has title and type (task, decision, fact, constraint, risk…); with id it is "
                               "revised: give all "
                               "its fields.",
                .input_schema = object({{"nodes!",
                                         {{"type", "array"},
                                          {"items", {{"type", "object"}}},
                                          {"minItems", 1},
                                          {"maxItems", kMaxListItems}}}}),
                .output_schema = object({{"workspace!", any_text()},
                                         {"commit_id!", any_text()},
                                         {"ids!", texts()},
                                         {"text!", any_text()}}),
                .read_only = false,
                .idempotent = false},
       .run = graph_put},
      {.tool = {.name = "graph_clarify",
                .title = "Ask for missing information",
                .description = "Writes the task that asks for what graph_pack says is missing. Use it when a "
                               "person must answer.",
                .input_schema = object({{"request!", request}, {"intent", intent}}),
                .output_schema =
                    object({{"workspace!", any_text()}, {"id!", any_text()}, {"text!", any_text()}}),
                .read_only = false},
       .run = graph_clarify},
  };
}

}  // namespace knapsack::serve

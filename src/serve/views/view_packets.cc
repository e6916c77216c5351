// The views of packets that are only tried: preview_pack, preview_recall, preview_search.
#include <fmt/format.h>

#include "serve/schema.h"
#include "serve/views/views.h"

namespace knapsack::serve {
namespace {

constexpr uint64_t kMaxBudget = 1'000'000;
constexpr uint64_t kPreviewResults = 30;
constexpr uint64_t kMaxQuery = kMaxQueryBytes / 4;

Result<Json> preview_pack(const ViewCall& call) {
  PackRequest request;
  request.task = call.text("task");
  request.sources = fmt::format("{}", fmt::join(call.list("sources"), ","));
  request.fill = call.flag("fill");
  request.refresh = call.flag("refresh");
  request.dry_run = true;
  if (const auto budget = call.number("budget"))
    request.settings["pack.budget"] = std::to_string(static_cast<uint64_t>(*budget));
  request.stop = call.caller.stop;
  KNAPSACK_TRY(const PackReply reply, call.engine.pack(request));
  Json account = packet_account(reply.packet, reply.output, reply.times);
  account["notices"] = reply.notices;
  return account;
}

Result<Json> preview_recall(const ViewCall& call) {
  RecallRequest request;
  request.prompt = call.text("prompt");
  request.mode = call.text("mode");
  request.dry_run = true;
  if (const auto budget = call.number("budget"))
    request.settings["recall.max_tokens"] = std::to_string(static_cast<uint64_t>(*budget));
  KNAPSACK_TRY(const RecallReply reply, call.engine.recall(request));
  Json account = packet_account(reply.packet, reply.output, reply.times);
  account["notices"] = reply.notices;
  account["mode"] = reply.mode;
  account["rule"] = reply.rule;
  return account;
}

Result<Json> preview_search(const ViewCall& call) {
  SearchRequest request;
  request.query = call.text("query");
  request.sources = call.list("sources");
  request.limit = call.whole("limit");
  request.refresh = false;
  request.dry_run = true;
  request.stop = call.caller.stop;
  KNAPSACK_TRY(const SearchReply found, call.engine.search(request));
  Json hits = Json::array();
  for (const SearchHit& hit : found.hits) {
    hits.push_back({{"source", to_string(hit.source)},
                    {"id", hit.id},
                    {"path", hit.path},
                    {"line", hit.line},
                    {"title", hit.title},
                    {"snippet", hit.snippet},
                    {"score", hit.score.total},
                    {"components", components_of(hit.score)}});
  }
  return Json{{"status", name_of(found.status)},
              {"hits", std::move(hits)},
              {"found", found.found},
              {"notices", found.notices}};
}

Json budget_schema() {
  return {{"type", "integer"},
          {"minimum", 0},
          {"maximum", kMaxBudget},
          {"description", "In tokens; default: the setting's"}};
}

Json source_list() {
  return {{"type", "array"},
          {"items", schema::one_of({"code", "notes", "memory", "graph"})},
          {"maxItems", 4},
          {"description", "Default: all that are there"}};
}

Json account_with(std::initializer_list<const char*> texts_beside) {
  Json made = packet_account_schema();
  made["properties"]["notices"] = schema::texts();
  made["required"].push_back("notices");
  for (const char* name : texts_beside) {
    made["properties"][name] = schema::any_text();
    made["required"].push_back(name);
  }
  return made;
}

}  // namespace

std::vector<ViewEntry> packet_views() {
  using namespace schema;
  const Json number = {{"type", "number"}};
  return {
      {{"preview_pack", "What pack would answer", "",
        object({{"task!", text(kMaxTextCharacters)},
                {"budget", budget_schema()},
                {"sources", source_list()},
                {"fill", flag(false)},
                {"refresh", flag(true, "Bring the code index up to date first")}}),
        account_with({})},
       preview_pack},
      {{"preview_recall", "What recall would answer", "",
        object({{"prompt!", text(kMaxTextCharacters)},
                {"mode", one_of({"auto", "no_recall", "minimal", "full", "graph_mode"}, "auto")},
                {"budget", budget_schema()}}),
        account_with({"mode", "rule"})},
       preview_recall},
      {{"preview_search", "What search would answer", "",
        object({{"query!", text(kMaxQuery)},
                {"sources", source_list()},
                {"limit", whole(1, kMaxSearchResults, kPreviewResults)}}),
        object({{"status!", any_text()},
                {"hits!",
                 rows(object({{"source!", any_text()},
                              {"id!", any_text()},
                              {"path!", any_text()},
                              {"line!", any_whole()},
                              {"title!", any_text()},
                              {"snippet!", any_text()},
                              {"score!", number},
                              {"components!", {{"type", "object"}, {"additionalProperties", number}}}}))},
                {"found!", any_whole()},
                {"notices!", texts()}})},
       preview_search},
  };
}

}  // namespace knapsack::serve

// The views of the memory tree: all memories, one with what became of it, and saying whether it was useful.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "serve/schema.h"
#include "serve/views/rest_runs.h"
#include "serve/views/views.h"
#include "text/parse_json.h"
#include "text/secrets/redact.h"

namespace knapsack::serve {
namespace {

constexpr uint64_t kMaxMemories = 100'000;
constexpr int64_t kLookedAtRuns = 40;  // for who was told of a memory
constexpr size_t kMaxAncestors = 20;

Result<Json> list_memories(const ViewCall& call) {
  MemoryListRequest request;
  request.status = call.text("status");
  request.category = call.text("category");
  request.tag = call.text("tag");
  request.limit = call.whole("limit");
  KNAPSACK_TRY(const MemoryListReply found, call.engine.memories(request));
  Json rows = Json::array();
  for (const MemoryRow& row : found.rows) {
    rows.push_back({{"id", row.id},
                    {"category", row.category},
                    {"status", row.status},
                    {"kind", row.kind},
                    {"created", row.created},
                    {"title", row.title},
                    {"importance", row.importance.value_or(0)},
                    {"tags", row.tags}});
  }
  return Json{{"folder", found.folder},
              {"memories", std::move(rows)},
              {"matching", found.matching},
              {"all", found.all},
              {"warnings", shown_warnings(found.warnings)}};
}

Result<Json> read_one(const ViewCall& call, const std::string& id) {
  MemoryShowRequest request;
  request.id = id;
  KNAPSACK_TRY(const MemoryShowReply shown, call.engine.memory_show(request));
  Json memory = parse_ordered_json(shown.json);
  std::string text = memory.at("text").get<std::string>();
  redact_secrets(text);
  memory["text"] = std::move(text);
  return memory;
}

// What a memory replaced, and what replaced it, as far as they can still be read.
Json versions_of(const ViewCall& call, const Json& memory) {
  Json versions = Json::array();
  std::set<std::string> seen = {memory.at("id").get<std::string>()};
  std::vector<std::string> wanted;
  const auto want = [&](const Json& of) {
    for (const Json& id : of.value("supersedes", Json::array())) wanted.push_back(id.get<std::string>());
    if (of.contains("supersededBy")) wanted.push_back(of.at("supersededBy").get<std::string>());
  };
  want(memory);
  for (size_t i = 0; i < wanted.size() && versions.size() < kMaxAncestors; ++i) {
    if (!seen.insert(wanted[i]).second) continue;
    const auto one = read_one(call, wanted[i]);
    if (!one.ok()) continue;
    want(*one);
    versions.push_back({{"id", one->at("id")},
                        {"status", one->at("status")},
                        {"created", one->value("created", "")},
                        {"text", one->at("text")}});
  }
  return versions;
}

// The latest runs that handed it out.
Result<Json> told_by(const ViewCall& call, const std::string& id) {
  Json told = Json::array();
  KNAPSACK_TRY(const auto runs, call.engine.runs(kLookedAtRuns));
  for (const StoredRun& run : runs) {
    KNAPSACK_TRY(const Explanation account, call.engine.explain(std::to_string(run.key.sequence)));
    const auto found =
        std::find_if(account.decisions.begin(), account.decisions.end(), [&](const Decision& each) {
          return each.source == "memory" && each.included &&
                 (each.candidate_id == id || each.candidate_id.ends_with("/" + id));
        });
    if (found != account.decisions.end()) told.push_back(run_row(run));
  }
  return told;
}

Result<Json> show_memory(const ViewCall& call) {
  KNAPSACK_TRY(Json found, read_one(call, call.text("id")));
  Json versions = versions_of(call, found);
  KNAPSACK_TRY(Json told, told_by(call, found.at("id").get<std::string>()));
  return Json{{"memory", std::move(found)}, {"versions", std::move(versions)}, {"runs", std::move(told)}};
}

Result<Json> judge_memory(const ViewCall& call) {
  FeedbackRequest request;
  request.id = call.text("id");
  request.useful = call.flag("useful");
  KNAPSACK_TRY(const FeedbackReply reply, call.engine.feedback(request));
  return Json{{"id", reply.id}, {"useful", reply.useful}, {"not_useful", reply.not_useful}};
}

}  // namespace

std::vector<ViewEntry> memory_views() {
  using namespace schema;
  const Json number = {{"type", "number"}};
  return {
      {{"memories", "All memories, newest first", "",
        object({{"status",
                 one_of({"active", "superseded", "archived", "forgotten", "quarantined", "all"}, "active")},
                {"category", text(kMaxNameCharacters)},
                {"tag", text(kMaxNameCharacters)},
                {"limit", whole(1, kMaxMemories, kMaxMemories)}}),
        object({{"folder!", any_text()},
                {"memories!", rows(object({{"id!", any_text()},
                                           {"category!", any_text()},
                                           {"status!", any_text()},
                                           {"kind!", any_text()},
                                           {"created!", any_text()},
                                           {"title!", any_text()},
                                           {"importance!", number},
                                           {"tags!", texts()}}))},
                {"matching!", any_whole()},
                {"all!", any_whole()},
                {"warnings!", texts()}})},
       list_memories},
      {{"memory", "One memory, what it replaced and which runs showed it", "",
        object({{"id!", text(kMaxNameCharacters)}}),
        object({{"memory!", {{"type", "object"}}},
                {"versions!", rows(object({{"id!", any_text()},
                                           {"status!", any_text()},
                                           {"created!", any_text()},
                                           {"text!", any_text()}}))},
                {"runs!", rows(run_row_schema())}})},
       show_memory},
      {.about = {.name = "feedback",
                 .title = "Whether a memory was useful",
                 .description = "",
                 .input_schema =
                     object({{"id!", text(kMaxNameCharacters)}, {"useful!", {{"type", "boolean"}}}}),
                 .output_schema =
                     object({{"id!", any_text()}, {"useful!", any_whole()}, {"not_useful!", any_whole()}}),
                 .read_only = false},
       .run = judge_memory},
  };
}

}  // namespace knapsack::serve

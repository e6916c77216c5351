#include "engine/recipes/search/search_record.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/ids.h"

namespace knapsack {
namespace {

constexpr const char* kStage = "search";

std::string fingerprint_of(const SearchReply& reply) {
  ContentHasher hasher;
  for (const SearchedSource& each : reply.sources) {
    hasher.add(to_string(each.source));
    if (!each.repository.empty()) hasher.add(each.repository);
    hasher.add(std::to_string(each.found));
  }
  for (const SearchHit& hit : reply.hits) {
    hasher.add(hit.place());
    hasher.add(hit.snippet);
    hasher.add(std::to_string(hit.score.total));
  }
  return hasher.hash();
}

}  // namespace

RunRecord describe_search(const SearchRequest& request, const SearchReply& reply, const Settings& settings,
                          const std::string& workspace, Timestamp now) {
  nlohmann::ordered_json asked = {{"query", request.query}, {"sources", request.sources},
                                  {"mode", request.mode},   {"answered", reply.mode},
                                  {"limit", request.limit}, {"format", request.format}};
  if (!request.embed_model.empty()) asked["embed_model"] = request.embed_model;
  if (!reply.linked.empty()) asked["also"] = reply.linked;
  Packet packet;
  packet.status = reply.status;
  packet.warnings = reply.notices;
  return describe_run({"search", std::move(asked), settings, workspace, fingerprint_of(reply), now}, packet,
                      reply.times);
}

std::vector<Decision> search_decisions(const SearchRequest& request, const SearchReply& reply) {
  std::vector<Decision> rows;
  for (const SearchHit& hit : reply.hits) {
    Decision row;
    row.stage = kStage;
    row.source = to_string(hit.source);
    row.candidate_id = hit.id;
    row.title = hit.title;
    row.section = row.source;
    row.included = true;
    row.score = hit.score.total;
    row.components_json = components_json(hit.score);
    row.reason = fmt::format("rank {} at {}", rows.size() + 1, hit.place());
    rows.push_back(std::move(row));
  }
  for (const SearchedSource& each : reply.sources) {
    const auto shown =
        static_cast<size_t>(std::count_if(reply.hits.begin(), reply.hits.end(), [&](const SearchHit& hit) {
          return hit.source == each.source && hit.repository == each.repository;
        }));
    if (each.found <= shown) continue;
    Decision row;
    row.stage = kStage;
    row.source = to_string(each.source);
    row.candidate_id = each.repository.empty() ? fmt::format("{}:rest", row.source)
                                               : fmt::format("{}:{}:rest", each.repository, row.source);
    row.title = fmt::format("{} more that matched", each.found - shown);
    row.section = row.source;
    row.reason = fmt::format("beyond the best {}", request.limit);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace knapsack

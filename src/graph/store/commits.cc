#include "graph/store/commits.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "graph/store/node_check.h"
#include "graph/store/store.h"

namespace knapsack::graph {
namespace {

using Json = nlohmann::json;

Delta delta_of(const GraphIndex& index, const std::string& id, const CommitRow& commit) {
  Delta delta{id, layer_of(id).value_or(Layer::kKnowledge), "missing", commit.commit_id, commit.created_at};
  const auto node = index.find(id);
  if (!node || !index.node(*node).exists()) return delta;
  const int64_t created = index.history(*node).created;
  const auto at = parse_rfc3339(commit.created_at);
  const bool born_here = created != kNoTime && at.ok() && created >= at->micros;
  delta.change = index.node(*node).revisions == 1 || born_here ? "created" : "updated";
  return delta;
}

// Where no commit is known, the dates of the nodes tell.
Deltas changed_since(const GraphIndex& index, Timestamp since, size_t limit) {
  std::vector<uint32_t> changed;
  for (uint32_t node = 0; node < index.size(); ++node) {
    if (index.node(node).exists() && index.node(node).updated >= since.micros) changed.push_back(node);
  }
  const size_t shown = std::min(limit, changed.size());
  std::partial_sort(changed.begin(), changed.begin() + static_cast<long>(shown), changed.end(),
                    [&](uint32_t a, uint32_t b) {
                      const int64_t at_a = index.node(a).updated, at_b = index.node(b).updated;
                      return at_a != at_b ? at_a > at_b : index.id(a) < index.id(b);
                    });
  Deltas deltas;
  for (size_t i = 0; i < shown; ++i) {
    const uint32_t node = changed[i];
    const NodeRecord& record = index.node(node);
    deltas.rows.push_back({std::string(index.id(node)), record.layer,
                           record.revisions == 1 ? "created" : "updated", "", stored_time({record.updated})});
  }
  deltas.left_out = changed.size() - deltas.rows.size();
  return deltas;
}

}  // namespace

std::string commit_line(const CommitRow& row) {
  Json json = {{"commit_id", row.commit_id},
               {"mode", row.mode},
               {"event", row.event},
               {"changed_node_ids", row.changed_node_ids},
               {"context_pack_path", row.context_pack_path},
               {"created_at", row.created_at}};
  if (!row.request_id.empty()) json["request_id"] = row.request_id;
  if (row.request_seq) json["request_seq"] = *row.request_seq;
  return json.dump() + "\n";
}

Result<CommitRow> parse_commit(std::string_view line) {
  const auto wrong = [](std::string why) { return Error{ErrorCode::kCorrupt, std::move(why), ""}; };
  if (is_nested_too_deep(line)) return wrong(fmt::format("is nested deeper than {} levels", kMaxDepth));
  const Json json = Json::parse(line, nullptr, false);
  if (json.is_discarded()) return wrong("is not JSON");
  if (!json.is_object()) return wrong("is not a JSON object");
  CommitRow row;
  for (const auto& [key, into] :
       {std::pair{"commit_id", &row.commit_id}, std::pair{"mode", &row.mode}, std::pair{"event", &row.event},
        std::pair{"created_at", &row.created_at}, std::pair{"context_pack_path", &row.context_pack_path},
        std::pair{"request_id", &row.request_id}}) {
    if (const auto found = json.find(key); found != json.end() && found->is_string()) {
      *into = found->get<std::string>();
    }
  }
  if (row.commit_id.empty()) return wrong("has no commit_id");
  const auto changed = json.find("changed_node_ids");
  if (changed == json.end() || !changed->is_array()) return wrong("has no changed_node_ids");
  for (const Json& id : *changed) {
    if (!id.is_string() || !valid_id(id.get_ref<const std::string&>()))
      return wrong("names a node that has no id");
    row.changed_node_ids.push_back(id.get<std::string>());
  }
  if (const auto seq = json.find("request_seq"); seq != json.end() && seq->is_number_integer()) {
    row.request_seq = seq->get<int64_t>();
  }
  return row;
}

void for_each_commit_from_end(std::string_view log, const std::function<bool(const CommitRow&)>& visit) {
  while (!log.empty()) {
    if (log.back() == '\n') log.remove_suffix(1);
    const size_t feed = log.rfind('\n');
    const std::string_view line = feed == std::string_view::npos ? log : log.substr(feed + 1);
    log = log.substr(0, log.size() - line.size());
    if (line.empty() || line.size() > kMaxLineBytes) continue;
    const auto row = parse_commit(line);
    if (row.ok() && !visit(*row)) return;
  }
}

Result<Deltas> recent_deltas(const GraphIndex& index, std::string_view log, const DeltaAnchor& anchor,
                             size_t limit) {
  Deltas deltas;
  bool found = false;
  for_each_commit_from_end(log, [&](const CommitRow& row) {
    found = !anchor.commit_id || row.commit_id == *anchor.commit_id;
    for (const std::string& id : row.changed_node_ids) {
      if (deltas.rows.size() < limit) {
        deltas.rows.push_back(delta_of(index, id, row));
      } else {
        ++deltas.left_out;
      }
    }
    if (found) deltas.anchor = row.commit_id;
    return !found;
  });
  if (found) return deltas;
  if (anchor.commit_id) {
    return Error{ErrorCode::kNotFound, fmt::format("{} has no commit {}", kCommitsFile, *anchor.commit_id),
                 "its rows name the commits; leave `commit_id` out for the latest"};
  }
  return anchor.prior_request ? changed_since(index, *anchor.prior_request, limit) : Deltas{};
}

}  // namespace knapsack::graph

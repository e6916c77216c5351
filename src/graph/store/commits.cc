#include "graph/store/commits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "graph/store/node_check.h"
#include "graph/store/store.h"
#include "text/parse_json.h"

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

// Nodes that changed since the anchor commit without a commit of their own.
class Uncommitted {
 public:
  Uncommitted(const GraphIndex& index, Timestamp now) : index_(index), now_(now) {}

  // From the newest row on, the anchor's among them, and rows of the same moment.
  void see(const CommitRow& row) {
    const auto at = parse_rfc3339(row.created_at);
    for (const std::string& id : row.changed_node_ids) {
      const auto node = index_.find(id);
      if (!node || !index_.node(*node).exists()) continue;
      committed_.try_emplace(*node, at.ok() ? at->micros : std::numeric_limits<int64_t>::max());
      uint64_t& last = last_line_[static_cast<size_t>(index_.node(*node).layer)];
      last = std::max(last, index_.history(*node).line.offset);
    }
  }

  // Newest first; those without a date are the newest.
  std::vector<Delta> since(const std::optional<Timestamp>& anchor) const {
    std::vector<std::pair<int64_t, Delta>> found;
    for (uint32_t node = 0; node < index_.size(); ++node) {
      const NodeRecord& record = index_.node(node);
      if (!record.exists()) continue;
      const int64_t at = record.updated != kNoTime ? record.updated : index_.history(node).created;
      if (!is_uncommitted(node, at, anchor)) continue;
      found.emplace_back(
          at == kNoTime ? std::numeric_limits<int64_t>::max() : at,
          Delta{std::string(index_.id(node)), record.layer, record.revisions == 1 ? "created" : "updated", "",
                at == kNoTime ? "" : stored_time({at})});
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second.id < b.second.id;
    });
    std::vector<Delta> rows;
    for (auto& [at, delta] : found) rows.push_back(std::move(delta));
    return rows;
  }

 private:
  bool is_uncommitted(uint32_t node, int64_t at, const std::optional<Timestamp>& anchor) const {
    const auto known = committed_.find(node);
    if (at == kNoTime) {
      const auto layer = static_cast<size_t>(index_.node(node).layer);
      return known == committed_.end() && last_line_[layer] > 0 &&
             index_.history(node).line.offset > last_line_[layer];
    }
    if (at > now_.micros || !anchor || at < anchor->micros) return false;
    return known == committed_.end() || at > known->second;
  }

  const GraphIndex& index_;
  Timestamp now_;
  std::unordered_map<uint32_t, int64_t> committed_;  // node → when, by the newest row that names it
  std::array<uint64_t, kLayers.size()> last_line_ = {};
};

// Newest first: what no commit tells stands before the commits that it is newer than.
void merge(std::vector<Delta>& rows, std::vector<Delta> uncommitted) {
  for (Delta& delta : uncommitted) {
    const auto place = std::find_if(rows.begin(), rows.end(), [&](const Delta& row) {
      return !row.commit_id.empty() && (delta.at.empty() || row.at <= delta.at);
    });
    rows.insert(place, std::move(delta));
  }
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
  const Json json = parse_json(line);
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
  std::string anchor_time;
  Uncommitted uncommitted(index, anchor.now);
  for_each_commit_from_end(log, [&](const CommitRow& row) {
    if (found && row.created_at < anchor_time) return false;
    uncommitted.see(row);
    if (found) return true;  // of the same moment: only known to be committed
    found = !anchor.commit_id || row.commit_id == *anchor.commit_id;
    for (const std::string& id : row.changed_node_ids) deltas.rows.push_back(delta_of(index, id, row));
    if (found) {
      deltas.anchor = row.commit_id;
      anchor_time = row.created_at;
    }
    return true;
  });
  if (found) {
    const auto since = parse_rfc3339(anchor_time);
    merge(deltas.rows, uncommitted.since(since.ok() ? std::optional(*since) : std::nullopt));
    if (deltas.rows.size() > limit) {
      deltas.left_out = deltas.rows.size() - limit;
      deltas.rows.resize(limit);
    }
    return deltas;
  }
  if (anchor.commit_id) {
    return Error{ErrorCode::kNotFound, fmt::format("{} has no commit {}", kCommitsFile, *anchor.commit_id),
                 "its rows name the commits; leave `commit_id` out for the latest"};
  }
  return anchor.prior_request ? changed_since(index, *anchor.prior_request, limit) : Deltas{};
}

}  // namespace knapsack::graph

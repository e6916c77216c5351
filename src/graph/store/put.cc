#include "graph/store/put.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "core/ascii.h"
#include "core/blanks.h"
#include "core/ids.h"
#include "graph/store/commits.h"
#include "graph/store/graph_reader.h"
#include "graph/store/node_check.h"
#include "graph/store/task_closure.h"
#include "text/parse_json.h"
#include "text/secrets/redact.h"

namespace knapsack::graph {
namespace {

using Json = nlohmann::json;

Error refused(std::string what) {
  return {ErrorCode::kUsage, std::move(what), "nothing was written"};
}

struct GivenNode {
  std::string place;  // "node 3", "line 7"
  Json node;
};

Result<std::vector<GivenNode>> read_given(std::string_view text) {
  if (text.size() > kMaxPutBytes) return refused(fmt::format("more than {} bytes were given", kMaxPutBytes));
  std::vector<GivenNode> given;
  if (is_nested_too_deep(text))
    return refused(fmt::format("a node is nested deeper than {} levels", kMaxDepth));
  Json whole = parse_json(text);
  if (whole.is_array()) {
    for (size_t i = 0; i < whole.size(); ++i)
      given.push_back({fmt::format("node {}", i + 1), std::move(whole[i])});
  } else if (whole.is_object()) {
    given.push_back({"the node", std::move(whole)});
  } else {
    size_t number = 0;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      const std::string_view line = text.substr(at, end - at);
      at = end + 1;
      ++number;
      if (is_blank_text(line)) continue;
      Json node = parse_json(line);
      if (!node.is_object()) {
        return refused(
            fmt::format("line {} is not a JSON object; give one node a line, or a list of nodes", number));
      }
      given.push_back({fmt::format("line {}", number), std::move(node)});
    }
  }
  if (given.empty()) return refused("no node was given");
  return given;
}

std::optional<Layer> layer_of_type(const Json& node) {
  const auto type = node.find("type");
  if (type == node.end() || !type->is_string()) return std::nullopt;
  for (const Layer layer : kLayers) {
    for (const std::string_view known : types_of(layer)) {
      if (type->get_ref<const std::string&>() == known) return layer;
    }
  }
  return std::nullopt;
}

class PutPlanner {
 public:
  PutPlanner(const FileSystem& files, const StoreView& view, GraphIndex& index, Timestamp now)
      : files_(files), view_(view), index_(index), now_(Timestamp::from_seconds(now.seconds())) {}

  Result<std::vector<PutNode>> run(std::string_view text) {
    KNAPSACK_TRY(auto given, read_given(text));
    for (GivenNode& each : given) take(each);
    if (!problems_.empty()) return all_problems();
    for (const Layer layer : kLayers) {
      KNAPSACK_CHECK(add_lines(files_, view_, layer, lines_[static_cast<size_t>(layer)], index_));
    }
    check_references();
    check_cycles();
    if (!problems_.empty()) return all_problems();
    return std::move(nodes_);
  }

 private:
  Error all_problems() const {
    std::string what;
    for (size_t i = 0; i < problems_.size() && i < kShownPutProblems; ++i) {
      what += (i == 0 ? "" : "; ") + problems_[i];
    }
    if (problems_.size() > kShownPutProblems) {
      what += fmt::format("; and {} more", problems_.size() - kShownPutProblems);
    }
    return refused(what);
  }

  // What is known of the id so far, the nodes of this put among it.
  struct Known {
    int64_t next_rev = 1;
    int64_t newest_update = kNoTime;
    std::string created_at;
    bool by_dates = false;  // a revision without rev: dates decide
  };

  Result<Known*> known(const std::string& id) {
    const auto [place, fresh] = known_.try_emplace(id);
    if (!fresh) return &place->second;
    const auto number = index_.find(id);
    if (!number || !index_.node(*number).exists()) return &place->second;
    const Revisions& revisions = index_.history(*number).revisions;
    place->second.next_rev = revisions.next_rev();
    place->second.newest_update = revisions.newest_update;
    place->second.by_dates = revisions.with_rev != revisions.count;
    KNAPSACK_TRY(const std::string line, read_line(files_, view_, index_, *number));
    const Json node = parse_json(line);
    if (node.is_object() && node.contains("created_at") && node["created_at"].is_string()) {
      place->second.created_at = node["created_at"].get<std::string>();
    }
    return &place->second;
  }

  void take(GivenNode& given) {
    Json& node = given.node;
    const auto say = [&](std::string_view what) {
      problems_.push_back(fmt::format("{} {}", given.place, what));
    };
    if (!node.is_object()) return say("is not a JSON object");
    if (!node.contains("id")) {
      const auto layer = layer_of_type(node);
      if (!layer) return say("has neither an id nor a known type to make one from");
      const std::string type =
          *layer == Layer::kReasoning ? "DEC" : ascii::upper(node["type"].get<std::string>());
      node["id"] = fmt::format("{}-{}-{}", prefix_of(*layer), type, ulid(now_, given.place + text_of(node)));
    }
    const auto layer =
        node["id"].is_string() ? layer_of(node["id"].get_ref<const std::string&>()) : std::nullopt;
    if (!layer) return say("has an id that does not begin with KG-, RG- or TG-");
    const std::string id = node["id"].get<std::string>();
    if (!holds_secret(id)) given.place += fmt::format(" ({})", id.substr(0, kMaxIdBytes));
    if (!node.contains("type") && types_of(*layer).size() == 1) node["type"] = types_of(*layer).front();
    auto before = known(id);
    if (!before.ok()) return say(before.error().what);
    fill_in(node, **before, say);
    for (const std::string& problem : node_problems(node, *layer)) say(problem);
    PutNode planned{id, (*before)->next_rev, *layer, text_of(node) + "\n"};
    if (planned.line.size() > kMaxLineBytes) say(fmt::format("is larger than {} bytes", kMaxLineBytes));
    lines_[static_cast<size_t>(*layer)] += planned.line;
    nodes_.push_back(std::move(planned));
    ++(*before)->next_rev;
  }

  template <class Say>
  void fill_in(Json& node, Known& before, const Say& say) {
    if (node.contains("rev") && node["rev"] != before.next_rev) {
      say(fmt::format("has another rev than {}, which is next; leave it out or read the node again",
                      before.next_rev));
    }
    node["rev"] = before.next_rev;
    // Where dates decide, this revision must not be older than the ones it follows.
    const Timestamp at{std::max(now_.micros, before.newest_update)};
    if (!node.contains("updated_at")) node["updated_at"] = stored_time(at);
    if (!node.contains("created_at")) {
      node["created_at"] = before.created_at.empty() ? stored_time(now_) : before.created_at;
    }
    for (const char* list : {"links", "tags"}) {
      if (!node.contains(list)) node[list] = Json::array();
    }
    const auto updated =
        node["updated_at"].is_string() ? parse_rfc3339(node["updated_at"].get_ref<const std::string&>()) : at;
    if (!updated.ok()) return;
    if (before.by_dates && updated->micros < before.newest_update) {
      say("has an updated_at before that of the latest revision, which would stay the latest");
    }
    before.newest_update = std::max(before.newest_update, updated->micros);
    if (before.created_at.empty() && node["created_at"].is_string()) {
      before.created_at = node["created_at"].get<std::string>();
    }
  }

  static std::string text_of(const Json& node) {
    return node.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  void check_references() {
    for (const PutNode& each : nodes_) {
      const auto number = index_.find(each.id);
      if (!number) continue;
      for (const Reference& reference : index_.references(*number)) {
        if (index_.node(reference.target).exists()) continue;
        problems_.push_back(fmt::format("{} refers to {}, which is not in the graph: put it first or with it",
                                        each.id, index_.id(reference.target)));
      }
    }
  }

  void check_cycles() {
    std::vector<uint32_t> tasks;
    for (const PutNode& each : nodes_) {
      const auto number = index_.find(each.id);
      if (each.layer == Layer::kTask && number) tasks.push_back(*number);
    }
    if (tasks.empty()) return;
    for (const uint32_t task : tasks)
      if (waits_for_itself(index_, task))
        problems_.push_back(fmt::format(
            "task {0} would wait for itself: take {0} out of what it depends on or blocks", index_.id(task)));
    const auto cycle = find_cycle(TaskEdges(index_), tasks, index_.size());
    if (cycle.empty()) return;
    std::string chain;
    for (const uint32_t task : cycle) chain += (chain.empty() ? "" : " → ") + std::string(index_.id(task));
    problems_.push_back("tasks would wait for each other in a circle: " + chain);
  }

  const FileSystem& files_;
  const StoreView& view_;
  GraphIndex& index_;
  Timestamp now_;
  std::unordered_map<std::string, Known> known_;
  std::array<std::string, kLayers.size()> lines_;
  std::vector<PutNode> nodes_;
  std::vector<std::string> problems_;
};

// A line feed first where somebody left the last line of the file without one.
Result<Append> append_to(const FileSystem& files, const StoredFile& file, std::string_view name,
                         std::string lines) {
  if (file.size > 0) {
    KNAPSACK_TRY(const std::string last, files.read_part(file.path, file.size - 1, 1));
    if (last != "\n") lines.insert(0, "\n");
  }
  return Append{std::string(name), file.size, std::move(lines)};
}

}  // namespace

Result<std::vector<PutNode>> plan_put(const FileSystem& files, const StoreView& view, GraphIndex& index,
                                      std::string_view text, Timestamp now) {
  return PutPlanner(files, view, index, now).run(text);
}

Result<Change> plan_change(const FileSystem& files, const StoreView& view, const std::vector<PutNode>& nodes,
                           const Json& shown, const ChangeOrigin& origin, Timestamp now) {
  Change change;
  std::array<std::string, kLayers.size()> lines;
  CommitRow row;
  std::unordered_set<std::string_view> seen;
  std::string all;
  for (const PutNode& node : nodes) {
    lines[static_cast<size_t>(node.layer)] += node.line;
    all += node.line;
    if (seen.insert(node.id).second) row.changed_node_ids.push_back(node.id);
  }
  change.commit_id = "CM-" + ulid(now, all);
  change.pack_path =
      fmt::format("{}/context_pack.{}.{}.json", kPacksFolder, file_time(now), change.commit_id);
  row.commit_id = change.commit_id;
  row.mode = origin.mode;
  row.event = origin.event;
  row.context_pack_path = change.pack_path;
  row.created_at = stored_time(now);
  row.request_id = origin.request_id;
  row.request_seq = origin.request_seq;
  for (const Layer layer : kLayers) {
    std::string& own = lines[static_cast<size_t>(layer)];
    if (own.empty()) continue;
    KNAPSACK_TRY(Append append, append_to(files, view.file(layer), file_of(layer), std::move(own)));
    change.nodes.push_back(std::move(append));
  }
  KNAPSACK_TRY(change.commit, append_to(files, view.commits, kCommitsFile, commit_line(row)));
  Json pack = parse_json(commit_line(row));
  pack["changed_nodes"] = shown;
  change.pack = pack.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  return change;
}

}  // namespace knapsack::graph

#include "graph/store/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/blanks.h"
#include "graph/store/commits.h"
#include "graph/store/graph_reader.h"
#include "graph/store/node_check.h"
#include "graph/store/task_closure.h"
#include "text/parse_json.h"

namespace knapsack::graph {
namespace {

using Json = nlohmann::json;

class Validator {
 public:
  Validator(const FileSystem& files, const StoreView& view) : files_(files), view_(view) {}

  Result<Validation> run() {
    KNAPSACK_TRY(ReadGraph read, read_graph(files_, view_, ""));
    graph_ = std::move(read.index);
    for (const Problem& problem : graph_.problems) add(true, problem);
    if (graph_.problem_count > graph_.problems.size()) {
      add(true,
          {"", 0,
           fmt::format("and {} more lines cannot be read", graph_.problem_count - graph_.problems.size())});
    }
    for (const Layer layer : kLayers) {
      result_.nodes[static_cast<size_t>(layer)] = graph_.count(layer);
      KNAPSACK_CHECK(check_lines(layer));
    }
    check_references();
    check_cycles();
    KNAPSACK_CHECK(check_commits());
    if (view_.pending) {
      add(false,
          {std::string(kPendingFile), 0,
           fmt::format("the change {} was interrupted; the next graph command that may write finishes it",
                       *view_.pending)});
    }
    std::stable_sort(
        result_.findings.begin(), result_.findings.end(), [](const Finding& a, const Finding& b) {
          return std::tie(a.problem.file, a.problem.line) < std::tie(b.problem.file, b.problem.line);
        });
    return std::move(result_);
  }

 private:
  void add(bool error, Problem problem) { result_.findings.push_back({error, std::move(problem)}); }

  Status check_lines(Layer layer) {
    KNAPSACK_TRY(const std::string bytes, read_all(files_, view_.file(layer)));
    Digester digester;
    std::map<std::pair<std::string, int64_t>, uint64_t> seen;  // (id, rev) and its line
    uint64_t number = 0;
    for (size_t at = 0; at < bytes.size();) {
      const size_t end = std::min(bytes.find('\n', at), bytes.size());
      ++number;
      DigestBatch batch;
      digester.digest(layer, bytes, at, end, 0, number, batch);
      for (const LineDigest& line : batch.lines) check_line(layer, line, batch, bytes, number, seen);
      at = end + 1;
    }
    return ok_status();
  }

  void check_line(Layer layer, const LineDigest& line, const DigestBatch& batch, const std::string& bytes,
                  uint64_t number, std::map<std::pair<std::string, int64_t>, uint64_t>& seen) {
    const std::string file(file_of(layer));
    const std::string id(batch.id(line));
    ++result_.revisions;
    lines_[id] = {file, number};
    const Json node = parse_json(std::string_view(bytes).substr(line.offset, line.length));
    for (const std::string& problem : node_problems(node, layer)) {
      // A title that is long and a time that is written otherwise work; the rest breaks the schema.
      add(problem.find("are shown well") == std::string::npos,
          {file, number, fmt::format("{} {}", id, problem)});
    }
    if (!line.has_rev) {
      add(false, {file, number, fmt::format("{} has no integer rev: the newest updated_at decides", id)});
      return;
    }
    const auto [place, fresh] = seen.try_emplace({id, line.rev}, number);
    if (!fresh) {
      add(true,
          {file, number, fmt::format("{} has revision {} already in line {}", id, line.rev, place->second)});
    }
  }

  Problem at_node(uint32_t node, std::string reason) const {
    const auto found = lines_.find(std::string(graph_.id(node)));
    if (found == lines_.end()) return {"", 0, std::move(reason)};
    return {found->second.first, found->second.second, std::move(reason)};
  }

  void check_references() {
    for (uint32_t node = 0; node < graph_.size(); ++node) {
      std::set<uint32_t> dangling;
      for (const Reference& reference : graph_.references(node)) {
        if (!graph_.node(reference.target).exists()) dangling.insert(reference.target);
      }
      for (const uint32_t target : dangling) {
        add(true, at_node(node, fmt::format("{} refers to {}, which is not in the graph", graph_.id(node),
                                            graph_.id(target))));
      }
    }
  }

  void check_cycles() {
    std::vector<uint32_t> tasks;
    for (uint32_t node = 0; node < graph_.size(); ++node) {
      if (graph_.node(node).exists() && graph_.node(node).layer == Layer::kTask) tasks.push_back(node);
    }
    std::sort(tasks.begin(), tasks.end(),
              [&](uint32_t a, uint32_t b) { return graph_.id(a) < graph_.id(b); });
    for (const uint32_t task : tasks)
      if (waits_for_itself(graph_, task))
        add(true, at_node(task, fmt::format("{} waits for itself", graph_.id(task))));
    const auto cycle = find_cycle(TaskEdges(graph_), tasks, graph_.size());
    if (cycle.empty()) return;
    constexpr size_t kShown = 12;
    std::string chain;
    for (size_t i = 0; i < cycle.size(); ++i) {
      if (i == kShown && cycle.size() > kShown + 1) {
        chain += fmt::format(" → … ({} more)", cycle.size() - kShown);
        break;
      }
      chain += (i == 0 ? "" : " → ") + std::string(graph_.id(cycle[i]));
    }
    add(true, at_node(cycle.front(), "tasks wait for each other in a circle: " + chain));
  }

  Status check_commits() {
    KNAPSACK_TRY(const std::string log, read_all(files_, view_.commits));
    const std::string file(kCommitsFile);
    std::set<std::string> ids;
    CommitRow last;
    uint64_t number = 0, last_number = 0;
    for (size_t at = 0; at < log.size();) {
      const size_t end = std::min(log.find('\n', at), log.size());
      const std::string_view line = std::string_view(log).substr(at, end - at);
      at = end + 1;
      ++number;
      if (is_blank_text(line)) continue;
      auto row = parse_commit(line);
      if (!row.ok()) {
        add(true, {file, number, row.error().what});
        continue;
      }
      ++result_.commits;
      if (!ids.insert(row->commit_id).second) {
        add(true, {file, number, fmt::format("{} already exists", row->commit_id)});
      }
      for (const std::string& id : row->changed_node_ids) {
        const auto node = graph_.find(id);
        if (!node || !graph_.node(*node).exists()) {
          add(true,
              {file, number, fmt::format("{} changed {}, which is not in the graph", row->commit_id, id)});
        }
      }
      last = std::move(*row);
      last_number = number;
    }
    return check_latest_pack(last, last_number);
  }

  // The commit id that a pack names; empty when it cannot be read.
  std::string commit_of(const std::string& path) const {
    const auto bytes = files_.read(path, kMaxPackBytes);
    if (!bytes.ok() || is_nested_too_deep(*bytes)) return "";
    const Json pack = parse_json(*bytes);
    return pack.is_object() && pack.contains("commit_id") && pack["commit_id"].is_string()
               ? pack["commit_id"].get<std::string>()
               : "";
  }

  Status check_latest_pack(const CommitRow& last, uint64_t number) {
    const std::string file(kCommitsFile), latest(kLatestPackFile);
    const bool there = files_.info(join_path(view_.folder, latest)).ok();
    if (number == 0) {
      if (there && !view_.pending) add(true, {latest, 0, "there is a latest pack and no commit"});
      return ok_status();
    }
    if (last.context_pack_path.empty()) {
      add(false, {file, number, fmt::format("{} names no context pack", last.commit_id)});
      return ok_status();
    }
    const auto parts = last.context_pack_path.rfind(std::string(kPacksFolder) + "/", 0) == 0 &&
                       last.context_pack_path.find("..") == std::string::npos;
    if (!parts || commit_of(join_path(view_.folder, last.context_pack_path)) != last.commit_id) {
      add(true, {file, number,
                 fmt::format("the context pack of {} is missing or of another commit", last.commit_id)});
    }
    const std::string shown = commit_of(join_path(view_.folder, latest));
    if (shown != last.commit_id && !(view_.pending && shown == *view_.pending)) {
      add(true, {latest, 0, fmt::format("is not of {}, the last commit", last.commit_id)});
    }
    return ok_status();
  }

  const FileSystem& files_;
  const StoreView& view_;
  GraphIndex graph_;
  std::map<std::string, std::pair<std::string, uint64_t>> lines_;  // of the last revision of an id
  Validation result_;
};

}  // namespace

size_t Validation::errors() const {
  return static_cast<size_t>(
      std::count_if(findings.begin(), findings.end(), [](const Finding& each) { return each.error; }));
}

Result<Validation> validate_store(const FileSystem& files, const StoreView& view) {
  return Validator(files, view).run();
}

}  // namespace knapsack::graph

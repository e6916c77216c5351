#include "graph/select/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "graph/store/task_closure.h"

namespace knapsack::graph {
namespace {

class Selector {
 public:
  Selector(const GraphIndex& index, const Entities& entities, const Caps& caps, Timestamp now)
      : index_(index), entities_(entities), caps_(caps), scores_(index, entities, now) {}

  Selection run() {
    select_tasks();
    select_layer(Layer::kKnowledge, caps_.knowledge, {});
    find_replacements();
    find_last_replacements();
    select_layer(Layer::kReasoning, caps_.decisions, replacements_);
    return std::move(selection_);
  }

 private:
  LayerSelection& layer(Layer which) { return selection_.layers[static_cast<size_t>(which)]; }
  auto before() const {
    return [this](uint32_t a, uint32_t b) { return scores_.before(a, b); };
  }

  // The best `count` of a list, in order; the others behind them in any.
  void order(std::vector<uint32_t>& nodes, size_t count) const {
    const auto middle = nodes.begin() + static_cast<long>(std::min(count, nodes.size()));
    std::partial_sort(nodes.begin(), middle, nodes.end(), before());
  }

  SelectedNode selected(uint32_t node, std::vector<std::string> why) const {
    return {node, scores_.of(node), std::move(why), ""};
  }
  SelectedNode dropped(uint32_t node, std::string reason) const {
    return {node, scores_.of(node), reasons(node), std::move(reason)};
  }

  // What the score says, in words.
  std::vector<std::string> reasons(uint32_t node) const {
    std::vector<std::string> why;
    const NodeScore score = scores_.of(node);
    for (const Entity& entity : entities_.found) {
      if (entity.node != node) continue;
      why.push_back(entity.by_id ? "named in the request"
                                 : fmt::format("shares {} with the request", fmt::join(entity.words, ", ")));
    }
    if (score.by_task > 0) why.emplace_back("referenced by a selected task");
    if (score.by_decision > 0) why.emplace_back("referenced by an accepted decision");
    if (score.weighty > 0) why.emplace_back("a constraint or risk");
    if (why.empty() && score.recency > 0) why.emplace_back("changed lately");
    return why;
  }

  void select_tasks() {
    LayerSelection& tasks = layer(Layer::kTask);
    std::vector<uint32_t> anchors, others;
    size_t existing = 0;
    for (uint32_t node = 0; node < index_.size(); ++node) {
      const NodeRecord& record = index_.node(node);
      if (!record.exists() || record.layer != Layer::kTask) continue;
      ++existing;
      const NodeScore score = scores_.of(node);
      tasks.has_candidate = tasks.has_candidate || score.is_candidate();
      if (score.entity > 0) {
        anchors.push_back(node);
      } else if (is_active(record.state) || (score.total() > 0 && !is_finished(record.state))) {
        others.push_back(node);
      }
    }
    const TaskEdges edges(index_);
    std::vector<bool> taken(index_.size());
    const auto take = [&](uint32_t node, std::string why) {
      if (taken[node] || tasks.chosen.size() >= caps_.tasks) return;
      taken[node] = true;
      tasks.chosen.push_back(selected(node, {}));
      if (!why.empty()) tasks.chosen.back().why.push_back(std::move(why));
    };
    const auto close = [&](const std::vector<uint32_t>& from) {
      const size_t room = caps_.tasks - tasks.chosen.size();
      for (ClosedTask& each : close_over_prerequisites(index_, edges, from, taken, room, before())) {
        take(each.task, std::move(each.why));
      }
    };
    order(anchors, caps_.tasks + kNamedLeftOut);
    for (const uint32_t node : anchors) take(node, "");
    std::vector<uint32_t> in_pack;
    for (const SelectedNode& each : tasks.chosen) in_pack.push_back(each.node);
    close(in_pack);
    take_dependents(edges, in_pack, take);
    order(others, caps_.tasks + kNamedLeftOut);
    for (const uint32_t node : others) {
      if (tasks.chosen.size() >= caps_.tasks) break;
      if (taken[node]) continue;
      take(node, is_active(index_.node(node).state) ? "work under way" : "");
      close({node});
    }
    for (const SelectedNode& each : tasks.chosen) scores_.select_task(each.node);
    for (SelectedNode& each : tasks.chosen) {
      each.score = scores_.of(each.node);
      const auto more = reasons(each.node);
      each.why.insert(each.why.begin(), more.begin(), more.end());
    }
    std::sort(tasks.chosen.begin(), tasks.chosen.end(),
              [&](const SelectedNode& a, const SelectedNode& b) { return scores_.before(a.node, b.node); });
    anchors.insert(anchors.end(), others.begin(), others.end());
    anchors.erase(std::remove_if(anchors.begin(), anchors.end(), [&](uint32_t node) { return taken[node]; }),
                  anchors.end());
    leave_out(tasks, anchors, fmt::format("beyond the {} tasks that graph.max_tasks allows", caps_.tasks));
    tasks.uncounted = existing - tasks.chosen.size() - tasks.left_out.size();
  }

  // Who waits for the tasks of the request, one step; open ones only.
  template <class Take>
  void take_dependents(const TaskEdges& edges, const std::vector<uint32_t>& from, const Take& take) {
    for (const uint32_t task : from) {
      std::vector<uint32_t> waiting;
      for (const TaskEdge& edge : edges.dependents(task)) {
        if (!is_finished(index_.node(edge.task).state)) waiting.push_back(edge.task);
      }
      order(waiting, caps_.tasks);
      if (waiting.size() > caps_.tasks) waiting.resize(caps_.tasks);
      for (const uint32_t node : waiting) take(node, fmt::format("waits for {}", index_.id(task)));
    }
  }

  void leave_out(LayerSelection& into, std::vector<uint32_t>& nodes, const std::string& reason) {
    order(nodes, kNamedLeftOut);
    for (size_t i = 0; i < nodes.size() && into.left_out.size() < kNamedLeftOut; ++i) {
      into.left_out.push_back(dropped(nodes[i], reason));
    }
  }

  // Decisions that were replaced: by an accepted one that says so, or, where they say so themselves, by any
  // that was not rejected. Of several the newest counts.
  void find_replacements() {
    for (uint32_t node = 0; node < index_.size(); ++node) {
      const NodeRecord& record = index_.node(node);
      if (!record.exists() || record.layer != Layer::kReasoning || record.state == State::kRejected) continue;
      for (const Reference& reference : index_.references(node)) {
        if (reference.kind != ReferenceKind::kSupersedes || reference.target == node) continue;
        const NodeRecord& old = index_.node(reference.target);
        if (!old.exists() || old.layer != Layer::kReasoning) continue;
        if (record.state != State::kAccepted && old.state != State::kSuperseded) continue;
        const auto [place, fresh] = replacements_.emplace(reference.target, node);
        const NodeRecord& other = index_.node(place->second);
        const bool newer = record.updated != other.updated ? record.updated > other.updated
                                                           : index_.id(node) > index_.id(place->second);
        if (!fresh && newer) place->second = node;
      }
    }
  }

  using Replacements = std::unordered_map<uint32_t, uint32_t>;

  // Where the chain of each replaced decision ends. One that leads into a circle ends where it begins.
  void find_last_replacements() {
    for (const auto& replaced : replacements_) {
      std::vector<uint32_t> chain;
      std::unordered_set<uint32_t> in_chain;
      uint32_t node = replaced.first;
      while (replacements_.contains(node) && !last_.contains(node) && in_chain.insert(node).second) {
        chain.push_back(node);
        node = replacements_.at(node);
      }
      const auto known = last_.find(node);
      const uint32_t last = known == last_.end() ? node : known->second;
      const bool circle = in_chain.contains(node) || (known != last_.end() && last == node);
      for (const uint32_t each : chain) last_[each] = circle ? each : last;
    }
  }

  // The node itself where nothing replaced it.
  uint32_t last_replacement(const Replacements& replaced_by, uint32_t node) const {
    return replaced_by.contains(node) ? last_.at(node) : node;
  }

  void select_layer(Layer which, size_t cap, const Replacements& replaced_by) {
    LayerSelection& into = layer(which);
    std::vector<uint32_t> candidates, stale;
    size_t existing = 0;
    for (uint32_t node = 0; node < index_.size(); ++node) {
      const NodeRecord& record = index_.node(node);
      if (!record.exists() || record.layer != which) continue;
      ++existing;
      const NodeScore score = scores_.of(node);
      const bool outdated = is_finished(record.state) || replaced_by.count(node) > 0;
      if (score.total() == 0) continue;
      if (outdated && score.entity == 0) {
        stale.push_back(node);
        continue;
      }
      into.has_candidate = into.has_candidate || score.is_candidate();
      candidates.push_back(node);
    }
    order(candidates, cap + kNamedLeftOut);
    std::vector<bool> taken(index_.size());
    const auto take = [&](uint32_t node, std::vector<std::string> why) {
      if (taken[node] || into.chosen.size() >= cap) return;
      taken[node] = true;
      into.chosen.push_back(selected(node, std::move(why)));
    };
    for (const uint32_t node : candidates) {
      if (into.chosen.size() >= cap) break;
      // What replaced a decision stands before it, whatever the two score.
      if (const uint32_t last = last_replacement(replaced_by, node); last != node) {
        auto why = reasons(last);
        why.push_back(fmt::format("replaces {}", index_.id(node)));
        take(last, std::move(why));
      }
      take(node, reasons(node));
    }
    candidates.erase(
        std::remove_if(candidates.begin(), candidates.end(), [&](uint32_t node) { return taken[node]; }),
        candidates.end());
    stale.erase(std::remove_if(stale.begin(), stale.end(), [&](uint32_t node) { return taken[node]; }),
                stale.end());
    const char* flag = which == Layer::kKnowledge ? "graph.max_kg" : "graph.max_rg";
    leave_out(into, candidates, fmt::format("beyond the {} nodes that {} allows", cap, flag));
    order(stale, kNamedLeftOut);
    for (const uint32_t node : stale) {
      if (into.left_out.size() >= kNamedLeftOut) break;
      const uint32_t last = last_replacement(replaced_by, node);
      into.left_out.push_back(dropped(node, last != node ? fmt::format("replaced by {}", index_.id(last))
                                                         : fmt::format("{}, and the request is not about it",
                                                                       to_string(index_.node(node).state))));
    }
    into.uncounted = existing - into.chosen.size() - into.left_out.size();
  }

  const GraphIndex& index_;
  const Entities& entities_;
  const Caps& caps_;
  Scores scores_;
  Replacements replacements_;
  Replacements last_;  // the end of each chain of those
  Selection selection_;
};

}  // namespace

Selection select_nodes(const GraphIndex& index, const Entities& entities, const Caps& caps, Timestamp now) {
  return Selector(index, entities, caps, now).run();
}

}  // namespace knapsack::graph

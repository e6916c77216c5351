#include "graph/store/task_closure.h"

#include <fmt/format.h>

#include <algorithm>

namespace knapsack::graph {
namespace {

struct Pair {
  uint32_t later = 0;     // waits
  uint32_t earlier = 0;   // comes first
  bool by_later = false;  // written at the later one, as a dependency
};

}  // namespace

TaskEdges::TaskEdges(const GraphIndex& index) {
  std::vector<Pair> pairs;
  const auto is_task = [&](uint32_t node) {
    return index.node(node).exists() && index.node(node).layer == Layer::kTask;
  };
  for (uint32_t task = 0; task < index.size(); ++task) {
    if (!is_task(task)) continue;
    for (const Reference& reference : index.references(task)) {
      if (reference.target == task || !is_task(reference.target)) continue;
      if (reference.kind == ReferenceKind::kDependency) pairs.push_back({task, reference.target, true});
      if (reference.kind == ReferenceKind::kBlocks) pairs.push_back({reference.target, task, false});
    }
  }
  const auto fill = [&](Table& table, auto key, auto other, auto own) {
    table.begins.assign(index.size() + 1, 0);
    table.edges.resize(pairs.size());
    for (const Pair& pair : pairs) ++table.begins[key(pair) + 1];
    for (size_t i = 1; i < table.begins.size(); ++i) table.begins[i] += table.begins[i - 1];
    std::vector<uint32_t> next(table.begins.begin(), table.begins.end() - 1);
    for (const Pair& pair : pairs) table.edges[next[key(pair)]++] = {other(pair), own(pair)};
    // Written on both sides, the task's own word comes first, in whatever order the lines were.
    for (size_t i = 0; i + 1 < table.begins.size(); ++i) {
      std::sort(table.edges.begin() + table.begins[i], table.edges.begin() + table.begins[i + 1],
                [](const TaskEdge& a, const TaskEdge& b) {
                  return a.task != b.task ? a.task < b.task : a.own > b.own;
                });
    }
  };
  const auto later = [](const Pair& pair) { return pair.later; };
  const auto earlier = [](const Pair& pair) { return pair.earlier; };
  fill(prerequisites_, later, earlier, [](const Pair& pair) { return pair.by_later; });
  fill(dependents_, earlier, later, [](const Pair& pair) { return !pair.by_later; });
}

std::vector<ClosedTask> close_over_prerequisites(const GraphIndex& index, const TaskEdges& edges,
                                                 const std::vector<uint32_t>& from,
                                                 const std::vector<bool>& taken, size_t room,
                                                 const std::function<bool(uint32_t, uint32_t)>& before) {
  std::vector<ClosedTask> closed;
  std::vector<bool> seen = taken;
  for (const uint32_t task : from) seen[task] = true;
  std::vector<uint32_t> level = from;
  while (!level.empty() && closed.size() < room) {
    std::vector<ClosedTask> next;
    for (const uint32_t task : level) {
      for (const TaskEdge& edge : edges.prerequisites(task)) {
        if (seen[edge.task]) continue;
        seen[edge.task] = true;
        next.push_back(
            {edge.task, fmt::format("{} {}", edge.own ? "a dependency of" : "blocks", index.id(task))});
      }
    }
    std::sort(next.begin(), next.end(), [&](const ClosedTask& a, const ClosedTask& b) {
      const bool finished_a = is_finished(index.node(a.task).state);
      const bool finished_b = is_finished(index.node(b.task).state);
      return finished_a != finished_b ? finished_b : before(a.task, b.task);
    });
    level.clear();
    for (ClosedTask& each : next) {
      level.push_back(each.task);
      if (closed.size() < room) closed.push_back(std::move(each));
    }
  }
  return closed;
}

bool waits_for_itself(const GraphIndex& index, uint32_t task) {
  const auto references = index.references(task);
  return std::any_of(references.begin(), references.end(), [&](const Reference& reference) {
    return reference.target == task &&
           (reference.kind == ReferenceKind::kDependency || reference.kind == ReferenceKind::kBlocks);
  });
}

std::vector<uint32_t> find_cycle(const TaskEdges& edges, const std::vector<uint32_t>& tasks,
                                 size_t all_tasks) {
  enum : uint8_t { kNew, kOnPath, kDone };
  std::vector<uint8_t> marks(all_tasks, kNew);
  struct Step {
    uint32_t task;
    size_t next;
  };
  for (const uint32_t start : tasks) {
    if (marks[start] != kNew) continue;
    std::vector<Step> path = {{start, 0}};  // no recursion: a chain may be as long as the graph
    marks[start] = kOnPath;
    while (!path.empty()) {
      Step& step = path.back();
      const auto ahead = edges.prerequisites(step.task);
      if (step.next == ahead.size()) {
        marks[step.task] = kDone;
        path.pop_back();
        continue;
      }
      const uint32_t target = ahead[step.next++].task;
      if (marks[target] == kNew) {
        marks[target] = kOnPath;
        path.push_back({target, 0});
      } else if (marks[target] == kOnPath) {
        std::vector<uint32_t> cycle = {target};
        for (size_t i = path.size(); i-- > 0 && path[i].task != target;) cycle.push_back(path[i].task);
        cycle.push_back(target);
        std::reverse(cycle.begin(), cycle.end());
        return cycle;
      }
    }
  }
  return {};
}

}  // namespace knapsack::graph

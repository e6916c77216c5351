// Which tasks go together: what must be done before a task, and who waits for it.
//
// A prerequisite is written on either side: in a task's own `dependencies`, or in the `blocks` of the other.
// Both count, and cycles are harmless. Immutable; any thread.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "graph/store/graph_index.h"

namespace knapsack::graph {

struct TaskEdge {
  uint32_t task = 0;
  bool own = false;  // written at the task that was asked about
};

class TaskEdges {
 public:
  explicit TaskEdges(const GraphIndex& index);

  std::span<const TaskEdge> prerequisites(uint32_t task) const { return of(prerequisites_, task); }
  std::span<const TaskEdge> dependents(uint32_t task) const { return of(dependents_, task); }

 private:
  struct Table {
    std::vector<uint32_t> begins;
    std::vector<TaskEdge> edges;
  };
  static std::span<const TaskEdge> of(const Table& table, uint32_t task) {
    return std::span(table.edges).subspan(table.begins[task], table.begins[task + 1] - table.begins[task]);
  }

  Table prerequisites_, dependents_;
};

struct ClosedTask {
  uint32_t task = 0;
  std::string why;  // "a dependency of TG-TASK-7"
};

// Everything that the tasks in `from` wait for, nearest first; at one distance open tasks before finished
// ones, then as `before` orders them. At most `room`, none that `taken` has.
std::vector<ClosedTask> close_over_prerequisites(const GraphIndex& index, const TaskEdges& edges,
                                                 const std::vector<uint32_t>& from,
                                                 const std::vector<bool>& taken, size_t room,
                                                 const std::function<bool(uint32_t, uint32_t)>& before);

// TaskEdges leave such a one out.
bool waits_for_itself(const GraphIndex& index, uint32_t task);

// A cycle of prerequisites that goes through one of these tasks, first and last the same; empty without one.
std::vector<uint32_t> find_cycle(const TaskEdges& edges, const std::vector<uint32_t>& tasks,
                                 size_t all_tasks);

}  // namespace knapsack::graph

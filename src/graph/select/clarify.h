// What a request lacks, and the task that asks for it.
//
// The task's id comes from the words of the request alone, so the same request never makes a second one,
// however often it is asked and wherever the one before was interrupted. Pure functions; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "graph/select/selection.h"
#include "understand/intent.h"

namespace knapsack::graph {

// Which conditions hold, one sentence each; critical information is missing when any does.
std::vector<std::string> critical_reasons(TaskIntent intent, const Entities& entities,
                                          const Selection& selection);

struct Clarification {
  std::string task_id;
  std::string title;
  std::vector<std::string> questions;
};

// `goal` is the request in one line, without secrets; `request` all of it, likewise.
Clarification clarification_for(std::string_view goal, std::string_view request,
                                const std::vector<std::string>& reasons);
// Whether an id is that of a clarify task.
bool is_clarify_id(std::string_view id);
// A task that was closed has been answered and does not ask again: the id of the next one that is open or not there.
void choose_clarify_task(const GraphIndex& index, Clarification& clarification, std::string_view request);
// The node to put; id and everything else but times and revision.
nlohmann::json clarify_node(const Clarification& clarification, std::string_view request);

}  // namespace knapsack::graph

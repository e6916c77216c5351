// Nodes as a person reads them: one line, a summary, everything.
//
// Made from a node that was cleaned of secrets before. Control characters of its texts become spaces, so that
// no title breaks its line and nothing drives a terminal. Pure functions; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "graph/store/node.h"
#include "packet/candidate.h"

namespace knapsack::graph {

inline constexpr size_t kMaxShownTitle = 200;    // characters
inline constexpr size_t kMaxShownSummary = 400;  // characters

// The title, or what stands for one, in a line of at most kMaxShownTitle characters.
std::string shown_title(const nlohmann::json& node);
// "TG-TASK-7 Resume an import (task, in_progress)"
std::string title_line(const nlohmann::json& node);

// Full, summary, and id with title; richest first, none that is no shorter than the one before it. `why` is
// said in the first two.
std::vector<Form> forms_of(const nlohmann::json& node, Layer layer, const std::string& why);

}  // namespace knapsack::graph

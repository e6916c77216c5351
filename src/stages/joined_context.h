// Joining what the stages found in several repositories into one context, with one order.
//
// Scores are made of shares: of the best file, of the best chunk, of the most words of the task that any unit holds. Within a
// repository these compare; between two they do once each is weighted by how well the repository answers the
// task at all (`strength`). Places in the ranking of files are counted anew over all of them. Paths become
// `name:path` for all repositories but the first, the workspace. Pure; no thread rule.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "code/units/unit_constants.h"
#include "stages/stage_context.h"

namespace knapsack::stages {

struct RepositoryContext {
  std::string name;     // empty: the workspace
  double strength = 1;  // in (0, 1]; 1 for the repository that answers best
  StageContext context;
};

// How a path of a linked repository is shown.
std::string shown_path(std::string_view repository, std::string_view path);

// `members` are not empty.
StageContext join_contexts(std::vector<RepositoryContext> members, const code::UnitConstants& constants);

}  // namespace knapsack::stages

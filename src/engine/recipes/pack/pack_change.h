// What a reviewer of a change needs: the changed definitions, who uses them, their tests, and what usually changes with
// them and did not.
//
// Private to engine/recipes/pack/. One thread.
#pragma once

#include <string>
#include <vector>

#include "code/ask/change_set.h"
#include "stages/stage_context.h"

namespace knapsack {

struct ChangeReview {
  std::vector<stages::Requested> places;  // the changed definitions, then who uses them, then their tests
  std::vector<std::string> said;          // of the change, one line each, for the packet
  std::string task;                       // the change in words, for who gave none
};

Result<ChangeReview> review_change(code::CodeIndex& index, const code::ChangeSet& change);

}  // namespace knapsack

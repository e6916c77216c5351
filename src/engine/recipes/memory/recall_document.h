// The recall packet for programs (docs/schemas/recall-packet.schema.json), and the account for people.
// Private to engine/recipes/memory/.
#pragma once

#include <string>

#include "packet/packet.h"
#include "understand/recall_planner.h"

namespace knapsack {

// What the encoder of our own had to say.
struct UsedMeaning {
  std::string model = {};  // empty: words alone decided
  size_t missing = 0;      // memories without a vector
};

std::string recall_document(const Packet& packet, const RecallPlan& plan, const UsedMeaning& meaning,
                            const std::string& as_of);

// What became of every memory that was considered, part of the score by part: not counted in the budget.
std::string recall_account(const Packet& packet, const RecallPlan& plan);

}  // namespace knapsack

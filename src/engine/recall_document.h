// The recall packet for programs (docs/schemas/recall-packet.schema.json), and the account for people.
#pragma once

#include <string>

#include "core/packet.h"
#include "memory/recall_planner.h"

namespace knapsack {

std::string recall_document(const Packet& packet, const memory::RecallPlan& plan, const std::string& as_of);

// What became of every memory that was considered, part of the score by part: not counted in the budget.
std::string recall_account(const Packet& packet, const memory::RecallPlan& plan);

}  // namespace knapsack

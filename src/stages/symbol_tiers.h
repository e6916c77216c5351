// The tiers of units: which are shown, which only by their signature, which not at all. Pure; no thread rule.
// Private to stages/.
#pragma once

#include <string>

#include "code/units/unit_constants.h"
#include "stages/stage_context.h"

namespace knapsack::stages {

// Why a unit is there, in words, by what its score is made of.
std::string reason_of(const Score& score);

// Sorts units (what was asked for by name, then by key, imports last) and gives each its tier: primary down to the stop and
// for what the last packet had, supporting for signatures behind it. What a model or a relation decided stays.
void sort_into_tiers(StageContext& context, const code::UnitConstants& constants);

}  // namespace knapsack::stages

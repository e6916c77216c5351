// The tiers of units: which are shown, which only by their signature, which not at all. Pure; no thread rule.
#pragma once

#include <string>

#include "code/units/unit_constants.h"
#include "stages/stage_context.h"

namespace knapsack::stages {

// Why a unit is there, in words, by what its score is made of.
std::string reason_of(const Score& score);

// Where units of files that are no code stand in a task of which a frame lies in the repository.
enum class Documents { kBehindCode, kByScore };
// Sorts units (what was asked for by name, where the task failed, then by key, imports last) and gives each its tier: primary
// down to the stop and for what the last packet had, supporting for signatures behind it. What a model or a relation decided
// stays.
void sort_into_tiers(StageContext& context, const code::UnitConstants& constants,
                     Documents documents = Documents::kBehindCode);

// Whether the innermost frame of the task that lies in the repository is in it, one of up to three: such units come before
// all others.
bool leads_trace(const SelectedSymbol& unit, const code::UnitConstants& constants);

}  // namespace knapsack::stages

// What the stages ask a model, and what its opinions do: files that are not needed, and how much of each part.
//
// A model is shown samples of the content, not names alone, and is asked about as much as the budget can use.
// It takes nothing away that the task itself points at. One thread at a time.
// Private to stages/.
#pragma once

#include <string>
#include <string_view>

#include "code/units/units.h"
#include "stages/judge.h"
#include "stages/stage.h"
#include "stages/stage_context.h"

namespace knapsack::stages {

// The first lines of a range that say something, on one line, shortened; empty where there is none. Comments
// that only license the file say nothing.
std::string sample_of(const code::TextLines& text, LineRange range);

void judge_files(Judge& judge, const StageInput& input, StageContext& context);
void judge_units(Judge& judge, const StageInput& input, StageContext& context);

}  // namespace knapsack::stages

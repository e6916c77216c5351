// Comments that say why: reasons, to-dos, hacks and notes as parts of their own.
//
// What is written beside the code is often the answer to a task ("why does it …", "do not change this
// because …"), and lies in units that are not shown. A comment is ranked by the words that it shares with the
// task, weighed by how rare they are, and by its place: in what the task names, or in a part that is shown.
// One thread at a time, as for CodeIndex.
// Private to stages/.
#pragma once

#include <vector>

#include "code/units/units.h"
#include "stages/stage.h"
#include "stages/stage_context.h"

namespace knapsack::stages {

// Those of the kept files that share words with the task and are not within a part that is shown, best first;
// those that are worth showing are primary. `context` has its symbols with their tiers.
Result<std::vector<SelectedSymbol>> find_reasons(const StageInput& input, const StageContext& context);

}  // namespace knapsack::stages

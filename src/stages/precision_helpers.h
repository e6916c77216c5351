// What the shown functions call, where it is short: the comparison or the default in it is often what a task is about, and
// a reader would look it up next.
//
// A short task is close to few parts, and leaves room for them; a long report names what it needs.
// One thread at a time, as for CodeIndex.
// Private to stages/.
#pragma once

#include "core/result.h"
#include "stages/stage.h"
#include "stages/stage_context.h"

namespace knapsack::stages {

// Short functions behind the stop that a shown function of the same file calls become primary, the best first.
// `context` has its symbols with their tiers.
Status show_helpers(const StageInput& input, StageContext& context);

}  // namespace knapsack::stages

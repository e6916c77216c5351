// What a change did to the lines of a text, by libgit2's own diff of two buffers.
//
// No repository takes part, so that no attribute, driver or configuration can be consulted. Pure.
#pragma once

#include <string_view>
#include <vector>

#include "core/line_range.h"
#include "core/result.h"

namespace knapsack {

// In lines of `before`: what was removed or replaced, and for an insertion the line before and the line after
// it. Sorted; empty where nothing changed and for texts that were empty.
Result<std::vector<LineRange>> changed_lines(std::string_view before, std::string_view after);

}  // namespace knapsack

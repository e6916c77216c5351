// Comments of several lines, whose inner lines often begin like a sentence: by their first and their last line. Private to
// code/units/.
#pragma once

#include <vector>

#include "code/parse/language.h"
#include "code/units/units.h"

namespace knapsack::code {

// For each line, the first at 0: whether it stands in a comment of several lines, its ends included. Only what begins a
// line counts, as marks also stand in texts; a comment that is never closed is none.
std::vector<bool> lines_of_comments(const TextLines& text, const Language& language);

}  // namespace knapsack::code

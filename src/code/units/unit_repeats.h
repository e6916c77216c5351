// Units that say again what better ones say: the third of ten methods that hand their parameters on.
//
// Private to code/units/; unit_ranking.h is the way in. Plain functions; no thread rule.
#pragma once

#include <functional>
#include <vector>

#include "code/units/unit_ranking.h"

namespace knapsack::code {

// From best first to best first. A line says something new to a reader twice: what it stands in has often a twin,
// and both are to be changed. From half of its lines on, the more of them were there as often, the more a unit loses of
// what the task's words gave it; what the task names, quotes or points at keeps its place.
using LinesOf = std::function<const TextLines&(const RankedUnit&)>;
std::vector<RankedUnit> with_repeats_behind(std::vector<RankedUnit> units, const LinesOf& lines_of,
                                            const UnitConstants& constants);

}  // namespace knapsack::code

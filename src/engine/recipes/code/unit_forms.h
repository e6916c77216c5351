// What is shown of a unit: its lines with what opens it, a part of them, its signature. Pure functions; any thread.
// Private to engine/recipes/code/.
#pragma once

#include <string>
#include <vector>

#include "packet/candidate.h"
#include "stages/stage_context.h"

namespace knapsack {

// The first line of a definition, and those that go on with what it takes.
LineRange opening_lines(const stages::SelectedSymbol& symbol, const CandidateGroup& group);

// The most telling lines of a long unit, each time with fewer around them.
std::vector<LineRange> telling_parts(const stages::SelectedSymbol& symbol);

// With the line that opens what the unit stands in.
std::vector<LineRange> with_opener(const stages::SelectedSymbol& symbol, LineRange lines);

bool has_signature(const stages::SelectedSymbol& symbol);
// Up to the name and some of what it takes: ten parameters of one would take the place of five others.
std::string short_signature(const stages::SelectedSymbol& symbol);

}  // namespace knapsack

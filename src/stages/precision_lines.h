// Which lines of a file tell of a part: what it stands in, what its comment can spare, where it uses a symbol
// of the task. Pure functions; any thread.
// Private to stages/.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "code/units/units.h"
#include "stages/stage_context.h"

namespace knapsack::stages {

// The units that hold these lines, which are sorted. Imports do not use what they name.
std::vector<code::Unit> units_with(const code::TextLines& text, const std::vector<code::SymbolRow>& symbols,
                                   std::string_view language, const std::vector<uint32_t>& lines);

// The lines of a long unit from its first use to the last one near it; (0, 0): all of a short one.
LineRange focus_on_uses(LineRange unit, const std::vector<uint32_t>& uses);

// The nearest line above that stands further to the left: the class of a method, the `impl` of a function;
// (0, 0) for none. What stands inside another definition opens nothing.
LineRange opener_of(const code::TextLines& lines, LineRange unit,
                    const std::vector<code::SymbolRow>& symbols = {});

// Of a long comment everything but its first paragraph, three lines at most, and the line that closes it; (0, 0) where it
// is short.
LineRange spare_of(const code::Symbol& symbol, LineRange unit, const code::TextLines& lines);

// Which symbols a file uses, in words.
std::string use_relation(const ScopedFile& file);

}  // namespace knapsack::stages

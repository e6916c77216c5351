// Functions that do nothing of their own: what a header, an interface or a base class says of one that stands elsewhere.
// Private to code/units/. Pure; any thread.
#pragma once

#include "code/units/units.h"

namespace knapsack::code {

// A prototype, `{}`, `pass`, three dots, a docstring alone, `def close; end`, or one that only says that it is not
// implemented.
bool is_without_body(const TextLines& text, const Symbol& function);

}  // namespace knapsack::code

// The top-level modules that come with Python, of versions 2 and 3. A constant; any thread may ask.
// Private to code/imports/.
#pragma once

#include <string_view>

namespace knapsack::code {

bool is_python_library(std::string_view module);

}  // namespace knapsack::code

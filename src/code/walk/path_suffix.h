// How paths compare from their ends: a trace or a link names a file by the path that it has on another
// machine. Pure functions.
#pragma once

#include <cstddef>
#include <string_view>

namespace knapsack::code {

size_t path_components(std::string_view path);
// How many components two paths share, counted from their ends, whatever the case of their letters.
size_t common_path_end(std::string_view a, std::string_view b);

}  // namespace knapsack::code

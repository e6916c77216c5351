// What changed between two texts, as people read it: a unified diff with three lines around each change.
//
// Pure function; any thread. Lines are compared with their line breaks; a last line without one is said.
#pragma once

#include <string>
#include <string_view>

namespace knapsack::clients {

// Empty for equal texts. The names stand behind "--- " and "+++ "; "/dev/null" for a file that is not there.
std::string unified_diff(std::string_view before, std::string_view after, std::string_view before_name,
                         std::string_view after_name);

}  // namespace knapsack::clients

// Messages of the engine name fields and settings between backticks, because it knows no command line: `context_window`,
// `graph.dir`. Here they get the names that people type.
#pragma once

#include <string>
#include <string_view>

namespace knapsack::cli {

// "give `context_window` 8000" as "give --context-window 8000". What is no field stays as it is.
std::string with_flags(std::string_view line);

}  // namespace knapsack::cli

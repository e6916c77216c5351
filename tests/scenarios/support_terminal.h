// Running the program on a terminal of its own, with somebody who types.
#pragma once

#include <string>
#include <vector>

namespace knapsack::testing {

struct TerminalResult {
  int exit_code = 0;
  std::string shown;  // both streams, and what was typed, as the terminal shows it
};

// `typed` is waiting in the terminal when the program asks for it. Ends it after a minute. `kind`: what TERM says;
// empty: nothing.
TerminalResult run_on_terminal(const std::vector<std::string>& arguments, const std::string& folder,
                               const std::string& typed, const std::string& kind = "");

}  // namespace knapsack::testing

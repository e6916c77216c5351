// The clipboard of the terminal that somebody sits at, by OSC 52: it works through ssh and needs no program.
#pragma once

#include <string_view>

#include "core/result.h"

namespace knapsack::cli {

// kUsage where there is no terminal.
Status find_clipboard();
// Says on standard error what was copied. A terminal does not tell whether it took it.
Status copy_to_clipboard(std::string_view bytes);

}  // namespace knapsack::cli

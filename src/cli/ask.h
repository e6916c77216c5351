// Asking whoever sits at the terminal. Where nobody does (a pipe, a hook, a test), nothing is asked and nothing is
// waited for. One thread.
#pragma once

#include <optional>
#include <string>

namespace knapsack::cli {

bool can_ask();  // standard input and standard error are a terminal

// A line on standard error, and the line that was typed; nothing where nobody can be asked, or at the end of input.
std::optional<std::string> ask(const std::string& question);
// True for "y", "yes", "д", "да".
bool ask_yes(const std::string& question);

}  // namespace knapsack::cli

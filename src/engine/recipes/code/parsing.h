// What a program has to do so that Engine parses in a sandbox: hand over to run_parsing_process() before
// anything else when is_parsing_process() says so, and name itself in EngineOptions::parsing_program.
#pragma once

namespace knapsack {

// Whether the engine of another process started this one to parse.
bool is_parsing_process(int argc, const char* const* argv);
// Returns the exit code of the program.
int run_parsing_process();

}  // namespace knapsack

// What the program starts beside itself, and where it finds what lies beside it.
#pragma once

#include <string>

namespace knapsack::cli {

// The model file of the encoder: share/knapsack beside the folder of the program, or in it. Empty: there is none.
std::string find_model_file();

// Starts `knapsack embed` for a memory folder in a process of its own at the lowest priority, which nobody waits for.
// Not again within half a minute; not at all where KNAPSACK_BACKGROUND says off.
void start_embedding(const std::string& workspace, const std::string& memory_folder);

// Starts `knapsack team sync` likewise.
void start_team_sync(const std::string& workspace);

}  // namespace knapsack::cli

// .knapsack/: where a workspace keeps its databases.
//
// Readable by its owner only, ignored by git through a .gitignore of its own, and never a link that would
// take what we write somewhere else.
#pragma once

#include <string>

#include "core/files/file_system.h"
#include "core/result.h"

namespace knapsack {

std::string state_folder_of(const std::string& workspace);

// Creates the folder where it is missing and returns its path. A link or a file in its place is refused.
Result<std::string> ensure_state_folder(FileSystem& files, const std::string& workspace);

// sessions/ inside it, for those who need it.
Result<std::string> ensure_sessions_folder(FileSystem& files, const std::string& workspace);

}  // namespace knapsack

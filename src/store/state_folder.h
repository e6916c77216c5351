// .knapsack/: where a workspace keeps its databases.
//
// Readable by its owner only, ignored by git through a .gitignore of its own. A repository can bring one along
// all the same, so neither it nor a folder in it may be a link, which would take what we write, and what we
// remove, somewhere else.
#pragma once

#include <string>

#include "core/files/file_system.h"
#include "core/result.h"

namespace knapsack {

std::string state_folder_of(const std::string& workspace);

// Creates the folder where it is missing and returns its path. A link or a file in its place is refused.
Result<std::string> ensure_state_folder(FileSystem& files, const std::string& workspace);

// A folder inside it: created where it is missing. Refused like check_own_folder().
Status ensure_own_folder(FileSystem& files, const std::string& path);
// Refuses a path that is no folder but a link or a file, and one that such a thing of the state folder leads
// to. No error where nothing is there.
Status check_own_folder(const FileSystem& files, const std::string& path);

// sessions/ inside it, for those who need it.
Result<std::string> ensure_sessions_folder(FileSystem& files, const std::string& workspace);

}  // namespace knapsack

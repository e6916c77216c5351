// Whole folders, by the file system's own steps. No thread rule but the file system's.
#pragma once

#include <string>

#include "core/files/file_system.h"

namespace knapsack {

// Creates the folder and those above it that are missing.
Status make_directories(FileSystem& files, const std::string& path);
// With everything in it; links are removed, not followed. Nothing where nothing is there.
Status remove_tree(FileSystem& files, const std::string& path);

}  // namespace knapsack

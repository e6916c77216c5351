// Where a symbolic link inside a folder leads, found without following it. Private to code/walk/.
//
// Every step is looked up through the folder itself, so the answer can become stale but the search cannot
// leave the root. Safe wherever the folder is.
#pragma once

#include <string>

#include "core/files/folder.h"

namespace knapsack::code {

enum class LinkEnd { kFile, kFolder, kSpecial, kOutside, kLoop, kNothing };

// `path` names the link from the root; `root_path` is the root's own absolute path, or empty when unknown.
LinkEnd find_link_end(const Folder& root, const std::string& root_path, const std::string& path);

}  // namespace knapsack::code

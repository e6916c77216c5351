// Which files of the work tree are not as they were when they were indexed.
//
// Told by size and time; new files are not looked for: that is indexing. One thread.
#pragma once

#include <string>
#include <vector>

#include "code/ask/code_index.h"
#include "code/index/curated.h"
#include "core/files/file_system.h"

namespace knapsack::code {

// Their paths, in the order of the index.
Result<std::vector<std::string>> stale_files(const FileSystem& files, const std::string& workspace,
                                             Curated& rows, const CodeIndex& index);

}  // namespace knapsack::code

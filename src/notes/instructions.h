// The files in which projects tell agents how to work there (AGENTS.md, CLAUDE.md, .cursorrules…), and what these say as
// conventions. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "notes/folder.h"

namespace knapsack::notes {

// Such a file, wherever it lies in the workspace.
bool is_instruction_file(std::string_view path);

// Those that may lie at the top of a workspace, in the order in which they are read.
const std::vector<std::string>& top_instruction_files();

// The list items of such a file. `text` must be valid UTF-8.
std::vector<Convention> instruction_items(std::string text, const std::string& file);

// Of these the ones that share words with the task, most first; at most a few, because such files are long and their
// readers have them anyway.
std::vector<Convention> related_instructions(std::vector<Convention> items,
                                             const std::vector<std::string>& keywords);

}  // namespace knapsack::notes

// Adding a table to a TOML file that people write: at its end, and nothing else changes.
//
// The file is read by a TOML library before and after; an addition that would change anything but the table
// is refused. Pure functions; any thread.
// Private to clients/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "clients/text_edit.h"
#include "core/result.h"

namespace knapsack::clients {

// A table with keys whose values are texts or lists of texts, as it is written into a file.
struct TomlTable {
  std::vector<std::string> path;   // {"mcp_servers", "knapsack"}; bare keys
  std::vector<std::string> lines;  // "command = \"knapsack\""
};

enum class TomlState { kMissing, kSame, kDifferent };

// What a file has at the table's path. kConfig with the line for a file that is no TOML.
Result<TomlState> find_table(std::string_view text, std::string_view name, const TomlTable& table);
// For a missing one. kConfig where the file is written so that no table can be added at its end.
Result<std::vector<Insertion>> add_table(std::string_view text, std::string_view name,
                                         const TomlTable& table);
// The table as add_table() writes it, for finding it again in a file that was edited since; with these line
// breaks.
std::string table_text(const TomlTable& table, std::string_view line_break);

}  // namespace knapsack::clients

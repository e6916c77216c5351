// What to add to one file of a client, and what to take out again. No disk; pure functions; any thread.
// Private to clients/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "clients/client_list.h"
#include "clients/text_edit.h"
#include "core/result.h"

namespace knapsack::clients {

using EditStep = std::vector<Insertion>;

struct FilePlan {
  std::vector<EditStep> steps;          // one after the other; empty: all is there
  std::string after;                    // the text with them
  std::vector<std::string> left_alone;  // entries that somebody edited: "mcpServers.knapsack"
};

// `text`: what is in the file now, empty for none. kConfig with the line for a file that cannot be added to.
Result<FilePlan> plan_additions(const ClientFile& file, std::string_view name, const std::string& text);

// The text before the steps; false where `after` does not hold them.
bool without_steps(const std::string& after, const std::vector<EditStep>& steps, std::string& before);

struct FileRemoval {
  std::string after;
  std::vector<std::string> left_alone;
};
// For a file that was edited since: takes out the entries that are still as they were written.
Result<FileRemoval> plan_removal(const ClientFile& file, std::string_view name, const std::string& text);

}  // namespace knapsack::clients

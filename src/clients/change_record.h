// What `init` wrote, so that it can be taken back: a small JSON file in the state folder.
//
// It holds insertions, not copies: what a file said before is never kept. Plain data; pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "clients/client_plan.h"

namespace knapsack::clients {

// One write of one file.
struct FileChangeRecord {
  bool in_home = false;  // below the home folder; else below the workspace
  std::string name;      // from there
  bool created = false;
  std::string before, after;  // hashes of the bytes
  std::vector<EditStep> steps;
  std::vector<std::string> folders;  // that were made for it, outermost first
};

struct ChangeRecord {
  std::vector<FileChangeRecord> files;  // in the order they were written
};

std::string write_record(const ChangeRecord& record);
// For a file that is something else.
Error no_record(std::string_view name);
Result<ChangeRecord> read_record(std::string_view text, std::string_view name);

}  // namespace knapsack::clients

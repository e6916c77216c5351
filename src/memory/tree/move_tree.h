// move_tree: brings every file of one memory folder into another, and loses nothing on the way.
//
// The whole folder is renamed where nothing is in its place and both are on one disk. Otherwise file by file: written and
// synced in the new folder before it is removed from the old one, so a killed run leaves each file in one of them, or the
// same bytes in both, and the next run goes on. A file whose place is taken by other bytes goes to
// archive/moved/ of the new folder, where it is kept and not recalled. Accesses that were counted are folded into the
// files first. Links and what is neither file nor folder stay where they are. Both folders are locked. One thread.
#pragma once

#include <string>
#include <vector>

#include "core/files/file_system.h"

namespace knapsack::memory {

inline constexpr std::string_view kMovedFolder = "archive/moved";

struct MovedTree {
  uint64_t files = 0;               // that were brought over, or were there already
  std::vector<std::string> apart;   // whose place was taken, by their new paths
  std::vector<std::string> stayed;  // that could not be brought over, with the reason
};

// Nothing to do where `from` is not there. The folders above `to` must be there.
Result<MovedTree> move_tree(FileSystem& files, const std::string& from, const std::string& to, bool on_disk);

}  // namespace knapsack::memory

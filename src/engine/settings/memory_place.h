// MemoryPlace: where the memories of a workspace are, and how that was decided.
//
// A folder that somebody names counts first. Otherwise: `memory/` of a workspace that has such a tree; OpenClaw's tree
// where there is one; the user's data folder, a folder for each workspace. Memories are the user's data, so they are
// not kept in .knapsack/, which anybody may delete; only where there is no home folder nothing else is left. What an
// earlier version kept there is brought over (memory/tree/move_tree.h). Internal to engine/.
#pragma once

#include <string>
#include <vector>

#include "core/files/file_system.h"
#include "engine/settings/settings.h"

namespace knapsack {

struct MemoryPlace {
  enum class Kind { kNamed, kWorkspace, kOpenClaw, kUserData, kState };
  std::string folder;  // absolute
  Kind kind = Kind::kNamed;

  std::string_view described() const;  // "your data folder", for messages
};

Result<MemoryPlace> memory_place(const FileSystem& files, const Settings& settings,
                                 const SettingsRequest& request);

// The folder in the user's data folder: $XDG_DATA_HOME/knapsack/memory/<name>-<hash of the path>, else below
// ~/.local/share. Empty where there is neither.
std::string user_memory_folder(const SettingsRequest& request);
// Where earlier versions kept memories.
std::string former_memory_folder(const std::string& workspace);

// Creates the folders above one in the user's data folder.
Status ensure_folders_above(FileSystem& files, const MemoryPlace& place);
// … and the folder itself, with the file that says whose it is.
Status ensure_memory_place(FileSystem& files, const MemoryPlace& place, const std::string& workspace);

// Memory folders of the user's data folder whose workspace is gone, with the path it had.
struct LostMemories {
  std::string folder, workspace;
};
std::vector<LostMemories> find_lost_memories(const FileSystem& files, const SettingsRequest& request);

}  // namespace knapsack

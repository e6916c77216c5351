// Trust: which workspaces' own files may set more than preferences.
//
// A cloned knapsack.toml could name places outside of the workspace. It may once the user has said so
// (`knapsack trust`), for this folder and these very bytes: one changed byte, and it is asked about again.
// What the user said is kept in the user's own state folder, never in the workspace, where a clone could
// bring it along.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/file_system.h"

namespace knapsack {

// $XDG_STATE_HOME/knapsack, else ~/.local/state/knapsack; an error where there is neither, or where it lies
// in the workspace itself.
Result<std::string> user_state_folder(const FileSystem& files,
                                      const std::map<std::string, std::string>& environment,
                                      const std::string& workspace);
// The same, made where it is missing; readable by its owner only.
Result<std::string> ensure_user_state_folder(FileSystem& files,
                                             const std::map<std::string, std::string>& environment,
                                             const std::string& workspace);

// $XDG_CONFIG_HOME/knapsack/knapsack.toml, else ~/.config/knapsack/knapsack.toml; nothing where neither
// variable is set.
std::optional<std::string> user_settings_file(const std::map<std::string, std::string>& environment);

struct TrustQuestion {
  std::string workspace;
  std::map<std::string, std::string> environment;
  std::string content;  // of the workspace's knapsack.toml
};
bool is_trusted(const FileSystem& files, const TrustQuestion& question);
Status trust(FileSystem& files, const TrustQuestion& question);

struct TrustedWorkspace {
  std::string path;
  size_t versions = 0;  // of its file, each trusted on its own
};
Result<std::vector<TrustedWorkspace>> list_trusted(const FileSystem& files, const TrustQuestion& question);
// How many entries of this workspace were there and are gone.
Result<size_t> revoke_trust(FileSystem& files, const TrustQuestion& question);

}  // namespace knapsack

// The files that hold settings: knapsack.toml of a workspace or of the user, and the rc file beside the notes folder.
// What cannot be read, or names a key that is none, is an error that says so.
// Private to engine/settings/.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/files/file_system.h"
#include "engine/settings/setting_file_cache.h"
#include "engine/settings/settings.h"

namespace knapsack {

using SettingTexts = std::map<std::string, std::string>;  // by key

Result<SettingTexts> read_toml_settings(const std::string& bytes, const std::string& file);

// A file of settings that holds for every workspace of the user, unless it came with this one.
struct UserFile {
  std::string name;  // empty when there is none
  SettingTexts values;
};

Result<UserFile> read_user_file(const FileSystem& files, const SettingsRequest& request,
                                SettingFileCache& cache);

struct RcFile {
  std::string name;     // empty when there is none
  SettingTexts values;  // by rc key
  std::vector<std::string> priority_order;
};

// Other programs keep their own keys in this file: what we do not know is theirs.
Result<RcFile> read_rc_file(const FileSystem& files, const std::string& folder, SettingFileCache& cache);

}  // namespace knapsack

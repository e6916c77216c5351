// Where this machine keeps what it has of a team's server, and who writes from here. Internal to engine/.
#pragma once

#include <string>

#include "core/clock.h"
#include "core/files/file_system.h"
#include "engine/settings/settings.h"

namespace knapsack {

// $XDG_DATA_HOME/knapsack/team/<server>, else below ~/.local/share; the same for a server whatever the password. Empty where no
// server is named or there is no home folder.
std::string team_folder(const Settings& settings, const SettingsRequest& request);
// $XDG_CACHE_HOME/knapsack/team/<server>, else below ~/.cache: what can be fetched again.
std::string team_cache_folder(const Settings& settings, const SettingsRequest& request);

// "Anna Berg <anna@example.org>" as the user's own git configuration says it, never a repository's; empty where it does not.
std::string git_identity(const FileSystem& files, const SettingsRequest& request);

// "3 hours ago"; a time that is not over yet is "just now": clocks are set back.
std::string age_in_words(Timestamp then, Timestamp now);

}  // namespace knapsack

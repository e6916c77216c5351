// Places: which folders a file that came with the workspace may name.
//
// Whoever commits a knapsack.toml must not choose where somebody else's program reads and writes. So a name
// from the workspace is followed as the system would follow it (links, "..", "~/", absolute names), and has
// to end below the workspace. What the user's own configuration, the environment or a flag names is not asked
// about here.
#pragma once

#include <string>
#include <string_view>

#include "core/files/file_system.h"

namespace knapsack {

// `named` as a path on disk: "~/" at its start is the home folder, a relative one starts at `base`.
Result<std::string> expand_place(std::string_view named, const std::string& base, const std::string& home);

// Nothing where `path` (absolute) ends below `workspace`; else an error whose `what` says why not, as the end
// of a sentence: "leads out of the workspace". What is not there yet is taken by its name.
Status check_place_inside(const FileSystem& files, const std::string& workspace, const std::string& path);

// Whether `path` lies below `folder`, or is it, once every link of both is followed. False where either is
// not there.
bool lies_in(const FileSystem& files, const std::string& folder, const std::string& path);

}  // namespace knapsack

// Files of a workspace that other programs and people share with us: written atomically like our own, but
// with the mode that they had, or for new ones the mode that the user's umask gives.
//
// On the real disk only. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

namespace knapsack {

// What a crash can leave beside a file: its name, this, and six letters and digits. Nobody else's file is
// called so.
inline constexpr std::string_view kBesideSharedFile = ".knapsack-new.";
inline constexpr size_t kBesideRandomCharacters = 6;

// Writes beside the target, syncs, renames over it, syncs the folder: a reader sees the old bytes or the new
// ones, and a crash leaves either. Links in the last component are replaced, not followed.
Status rewrite_shared_file(const std::string& path, std::string_view bytes);

// No error when it is there already.
Status make_shared_folder(const std::string& path);

}  // namespace knapsack

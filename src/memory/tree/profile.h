// The profile as blocks that are shown whole or not at all: a bullet with what hangs below it, a paragraph.
//
// Blocks come in the order of the file, each with the heading it stands under. Nothing of the text is lost
// but blank lines, comments and list markers. A pure function; any thread.
#pragma once

#include <string>
#include <vector>

namespace knapsack::memory {

struct ProfileBlock {
  std::string heading;  // the nearest above it; empty before the first
  std::string text;     // without the marker of its list
};

// `text` must be valid UTF-8.
std::vector<ProfileBlock> read_profile(std::string text);

}  // namespace knapsack::memory

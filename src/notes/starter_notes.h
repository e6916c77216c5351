// The notes folder that a project begins with, made of what it has told people already: rules and conventions
// of README, CONTRIBUTING and the files for agents. Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

namespace knapsack::notes {

// Where such words are looked for, at the top of a workspace.
const std::vector<std::string>& starter_sources();

struct StarterText {
  std::string name;  // of the file, from the workspace
  std::string text;  // any bytes
};

// The files of the folder with what they say; every one holds a comment that teaches its form. What agents are
// told in their own files is read from there and is not copied, but for rules without exception.
std::vector<StarterText> starter_notes(const std::vector<StarterText>& sources);

}  // namespace knapsack::notes

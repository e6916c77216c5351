// PomFile: the coordinates in a Maven pom.xml. Pure; no thread rule.
// Private to code/imports/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace knapsack::code {

struct PomFile {
  std::string artifact;            // "group:artifact"; empty where the file does not say
  std::vector<std::string> needs;  // of its dependencies, in their order
};

// What is not well formed ends the reading; what was read by then counts. Properties (${…}) are not filled in, except those
// of the project itself.
PomFile read_pom_file(std::string_view text);

}  // namespace knapsack::code

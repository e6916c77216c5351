// FileRole: what a file is for, by its path and language; most tasks are about neither tests nor
// documentation. Pure functions.
#pragma once

#include <string_view>

namespace knapsack::code {

struct FileRole {
  bool is_test = false;
  bool is_auxiliary = false;  // documentation, examples, scripts, other people's code: beside the program
  bool is_prose = false;      // documentation by its language, wherever it lies; always auxiliary
};

FileRole role_of(std::string_view path, std::string_view language);

}  // namespace knapsack::code

// What the build wrote into the program about itself (cmake/BuildInfo.cmake). Constant; any thread may ask.
#pragma once

#include <span>
#include <string_view>

namespace knapsack::cli {

// "commit 1a2b3c4d5e6f, portable x86_64", or "development build, x86_64" where the commit was not given.
std::string_view build_description();

// One thing that is linked, or that lies beside the program.
struct LinkedPart {
  std::string_view kind;
  std::string_view name;
  std::string_view version;  // "system" where the machine's own library is used
  std::string_view licence;  // SPDX
  std::string_view purpose;
};
std::span<const LinkedPart> linked_parts();

}  // namespace knapsack::cli

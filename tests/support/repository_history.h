// A history for a generated repository: commits of a few related files, renames, merged branches, messages
// that name issues. As a stream for `git fast-import`, so that git itself makes the objects.
//
// The same arguments give the same stream, and with it the same commit ids, on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "support/repository_fixture.h"

namespace knapsack::testing {

struct GeneratedHistory {
  std::string stream;                // makes the branch main
  std::vector<GeneratedFile> files;  // of its last commit, sorted by path
};

// The first commit adds all `files`; `commits` in all, at least one.
GeneratedHistory make_history(const std::vector<GeneratedFile>& files, size_t commits, uint64_t seed);

}  // namespace knapsack::testing

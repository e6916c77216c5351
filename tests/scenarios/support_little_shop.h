// A small repository of several languages whose files import, test and explain each other.
#pragma once

#include "support/repository_git.h"

namespace knapsack::testing {

// Writes its files; commits nothing.
void write_little_shop(const TestRepository& made);
// Some tens of generated files of every language with symbols, below `generated/`.
void write_generated(const TestRepository& made, size_t files, uint64_t seed = 7);

}  // namespace knapsack::testing

// Generated files of every language with symbols but Python: each exports a type and a function that others
// of its language import and use. For one thread.
#pragma once

#include <cstddef>
#include <vector>

#include "support/repository_fixture.h"
#include "support/repository_words.h"

namespace knapsack::testing {

// `files` files of about `bytes` together, in turn of each language.
std::vector<GeneratedFile> make_mixed_files(Random& random, size_t files, size_t bytes);

}  // namespace knapsack::testing

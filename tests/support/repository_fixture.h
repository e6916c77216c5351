// Makes repositories that look like real ones to an indexer: packages of modules that import and call each
// other, tests of them, comments with reasons, names and prose whose words are distributed like real ones.
//
// The same shape gives the same bytes on every machine. Nothing is read; nothing is written. For one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace knapsack::testing {

struct GeneratedFile {
  std::string path;  // relative, with '/'
  std::string bytes;
};

struct RepositoryShape {
  size_t files = 3'000;
  size_t bytes = 0;    // of all files together, about; 0: 7,000 a file, the average of real Python
  bool mixed = false;  // spread over all languages with symbols instead of Python alone
  uint64_t seed = 1;
};

// Sorted by path.
std::vector<GeneratedFile> make_repository(const RepositoryShape& shape);

}  // namespace knapsack::testing

// A map of a repository: its files by how much of it depends on them, each with what it defines.
//
// Files are weighed by PageRank over their imports, so that what central files rest on is central too. Tests, examples
// and what is no code come behind. The same snapshot gives the same order. One thread, as for CodeIndex.
#pragma once

#include <string>
#include <vector>

#include "code/ask/code_index.h"

namespace knapsack::code {

struct MapFile {
  uint32_t file = 0;
  double weight = 0;
};

// Every file that was read, the heaviest first, then by path.
Result<std::vector<MapFile>> weigh_files(CodeIndex& index);

struct MapLine {
  uint32_t depth = 0;  // 0 for what stands at the top of the file
  uint32_t line = 0;
  std::string text;  // the signature, one line
};
// Types with what they offer and functions, in the order of the file; what is private only where nothing else is there.
Result<std::vector<MapLine>> map_lines(CodeIndex& index, uint32_t file);

}  // namespace knapsack::code

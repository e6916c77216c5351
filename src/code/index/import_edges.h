// Import edges of a snapshot: which import of which file means which other file, packed for storage.
//
// Files are the numbers of their paths, which stay the same from snapshot to snapshot. Edges are sorted by
// importing file, then by import, and within one import best first. Values only; no thread rule.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace knapsack::code {

struct ImportEdge {
  int64_t from = 0;        // the importing path
  uint32_t import = 0;     // its position among the imports of that file
  int64_t to = 0;          // the imported path
  uint8_t confidence = 0;  // of 255
  int32_t name = -1;       // the imported name that is this file itself, or -1

  bool operator==(const ImportEdge&) const = default;
};

std::string pack_edges(const std::vector<ImportEdge>& edges);
Result<std::vector<ImportEdge>> unpack_edges(std::string_view packed);

}  // namespace knapsack::code

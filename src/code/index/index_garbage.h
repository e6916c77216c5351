// Garbage: rows that no snapshot uses any more.
//
// Collected when they have become many, so that going back and forth between two branches costs nothing.
#pragma once

#include "code/index/curated_writer.h"
#include "code/index/known_index.h"

namespace knapsack::code {

// Commits that were indexed with --rev are kept until there are more than this; then the oldest go.
inline constexpr size_t kMaxRevisions = 1000;

struct GarbageReport {
  uint64_t snapshots = 0;
  uint64_t files = 0;
  uint64_t blobs = 0;
  uint64_t commits = 0;
};

// One transaction. `always`: however few there are.
Result<GarbageReport> collect_garbage(CuratedWriter& writer, bool always);

}  // namespace knapsack::code

// Merging: several segments into one that holds their live documents, and the choice of which to merge.
//
// The result is byte for byte what building these documents afresh would give. Inputs are read as they are
// mapped; memory grows with documents and terms, not with postings.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/files/file_system.h"
#include "search/segments/live_set.h"
#include "search/segments/segment_reader.h"

namespace knapsack::search {

struct MergeInput {
  std::shared_ptr<const SegmentReader> segment;
  LiveSet live;  // documents to keep
};

// The name of the new segment in `folder`. A key that is live in several inputs comes from the last of them.
Result<std::string> merge_segments(FileSystem& files, const std::string& folder,
                                   const std::vector<MergeInput>& inputs);

struct SegmentSize {
  uint64_t units = 0;
  uint64_t live_units = 0;
};
// Which segments (by position) should become one now; empty when none. Segments of about the same size are
// merged when there are many of them, so that each document is rewritten only a few times in its life and the
// number of segments grows with the logarithm of their size; one that is mostly dead is rewritten alone.
std::vector<size_t> choose_merge(const std::vector<SegmentSize>& segments);

}  // namespace knapsack::search

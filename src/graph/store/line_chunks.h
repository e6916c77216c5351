// Digesting the lines of the store on all cores, a megabyte at a time.
//
// The files are never in memory as a whole: one thread reads a chunk while the others digest theirs. Chunks
// come back in the order of the lines, so that nothing depends on which thread was faster.
// Private to graph/store/.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <vector>

#include "core/files/file_system.h"
#include "core/result.h"
#include "graph/store/digest.h"
#include "graph/store/store.h"

namespace knapsack::graph {

struct LineChunk {
  Layer layer = Layer::kKnowledge;
  uint64_t begin = 0;  // in the file; lines are whole, but for the last one of a file
  std::string bytes;   // empty once digested
  uint64_t line_feeds = 0;
  uint64_t whole = 0;  // bytes up to the last line feed
  size_t digester = 0;
  DigestBatch batch;  // lines are numbered from 1 in each chunk
};

struct DigestedLines {
  std::deque<LineChunk> chunks;
  std::vector<std::unique_ptr<Digester>> digesters;
};

// What the view holds of each file from a place on, which lies at the start of a line.
Result<DigestedLines> digest_lines(const FileSystem& files, const StoreView& view,
                                   const std::array<uint64_t, kLayers.size()>& from);

}  // namespace knapsack::graph

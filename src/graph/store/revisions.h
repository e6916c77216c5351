// Revisions: which of the lines of one id is its latest. The one resolver for everything.
//
//   1. every line has an integer rev: the highest;
//   2. a line lacks one: the newest updated_at, and a line without that is older than all others;
//   3. still tied: the last line.
// Lines are added in the order of the file; what is kept does not grow with their number. Plain data.
// Private to graph/store/.
#pragma once

#include <cstdint>

#include "graph/store/digest.h"

namespace knapsack::graph {

struct LinePlace {
  uint64_t offset = 0;
  uint32_t length = 0;
  uint32_t unused = 0;
  bool operator==(const LinePlace&) const = default;
};

struct Revisions {
  LinePlace highest;  // by rule 1
  LinePlace newest;   // by rule 2
  int64_t highest_rev = 0;
  int64_t newest_update = kNoTime;
  uint32_t count = 0;
  uint32_t with_rev = 0;

  void add(const LineDigest& line) {
    const LinePlace place{line.offset, line.length, 0};
    if (line.has_rev) {
      if (with_rev == 0 || line.rev >= highest_rev) {
        highest = place;
        highest_rev = line.rev;
      }
      ++with_rev;
    }
    if (line.updated >= newest_update) {
      newest = place;
      newest_update = line.updated;
    }
    ++count;
  }
  const LinePlace& latest() const { return with_rev == count ? highest : newest; }
  // What the next revision is called.
  int64_t next_rev() const { return with_rev == 0 ? int64_t{count} + 1 : highest_rev + 1; }
};

}  // namespace knapsack::graph

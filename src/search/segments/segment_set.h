// The folder of segments: their file names, opening those that a caller names, sweeping those that nobody
// does.
//
// Publishing: SegmentBuilder or merge_segments writes, syncs and renames a new file; then the caller names
// the new set in one transaction of its own; what no set names is swept later. A reader keeps the files it
// opened, swept or not. sweep_segments() must not run while another process is between writing and naming:
// callers hold their writer's lock.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/file_system.h"
#include "search/segments/segment_reader.h"

namespace knapsack::search {

// "<32 hexadecimal digits>.segment"
std::string segment_file_name(std::string_view name);
bool is_segment_name(std::string_view name);

// One segment. A file that is missing, damaged or holds something else than its name says is an error.
Result<std::shared_ptr<const SegmentReader>> open_segment(const FileSystem& files, const std::string& folder,
                                                          const std::string& name);

struct BrokenSegment {
  std::string name;
  Error error;
};

struct OpenedSegments {
  std::vector<std::shared_ptr<const SegmentReader>> segments;  // in the order of the names
  std::vector<BrokenSegment> broken;                           // to be rebuilt from what they were made of
};
OpenedSegments open_segments(const FileSystem& files, const std::string& folder,
                             const std::vector<std::string>& names);

// Removes segments that are not among `names` and what a crash left of unfinished ones; other files stay.
// How many were removed.
Result<size_t> sweep_segments(FileSystem& files, const std::string& folder,
                              const std::vector<std::string>& names);

}  // namespace knapsack::search

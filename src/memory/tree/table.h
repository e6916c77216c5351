// The table of known memories: what was read of each file and how the file looked then, and which segments
// hold their words. docs/formats.md describes it under "Memory table".
//
// Derived: a file that is missing, damaged or of another version is an error that callers answer by reading
// the tree itself. It is checked whole before anything in it is followed. Plain data; no thread rule.
// Private to memory/tree/.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/files/file_system.h"
#include "memory/tree/memory.h"
#include "search/segments/live_set.h"

namespace knapsack::memory {

// How a file looked when it was read.
struct Stamp {
  uint64_t size = 0;
  int64_t mtime_nanos = 0;
  uint64_t inode = 0;
  bool settled = false;  // false: it was so fresh that a later change could look the same
  bool operator==(const Stamp&) const = default;
};

struct TableSegment {
  std::string name;
  search::LiveSet live;
};

struct Table {
  std::string fingerprint;             // of how documents are made (search_parts.h)
  std::vector<TableSegment> segments;  // every memory is live in one of them
  std::vector<Memory> memories;        // in the order of catalogues
  std::vector<Stamp> stamps;           // of each
  std::vector<uint32_t> by_path;       // positions in `memories`, ascending by path
  // What was said when a memory was read: its position, and the line.
  std::vector<std::pair<uint32_t, std::string>> remarks;
};

Result<Table> load_table(const FileSystem& files, const std::string& path);
knapsack::Status save_table(FileSystem& files, const std::string& path, const Table& table);

}  // namespace knapsack::memory

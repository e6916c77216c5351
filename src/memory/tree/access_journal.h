// The journal of accesses: which memories were recalled how often since their files last said so.
//
// `state/access.log` in the memory folder, append-only, one checked line an access: a crash can only lose the
// line that was being written. Counts are added to those of the files whenever memories are read, and folded
// into the files later, a few at a time. Folding is planned in `state/access.fold` first: whoever finds the
// plan of a killed process finishes it, and no access is counted twice. Changes need a TreeWriter, whose lock
// keeps others out.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.h"
#include "core/files/file_system.h"
#include "memory/tree/memory.h"
#include "memory/tree/tree_writer.h"

namespace knapsack::memory {

inline constexpr std::string_view kJournalFile = "state/access.log";
inline constexpr std::string_view kFoldPlanFile = "state/access.fold";
inline constexpr uint64_t kMaxJournalBytes = uint64_t{64} << 20U;
// From here on the journal is written anew with one line a memory.
inline constexpr uint64_t kCompactFromBytes = uint64_t{1} << 20U;
// Folding starts when this many memories wait, and rewrites so many files at once: each costs a few syncs.
inline constexpr size_t kFoldFrom = 64;
inline constexpr size_t kFoldAtOnce = 16;

struct AccessCount {
  uint64_t count = 0;
  Timestamp last;
  bool operator==(const AccessCount&) const = default;
};
using AccessCounts = std::map<std::string, AccessCount, std::less<>>;  // by path

// What one file is to say after folding.
struct PlannedFold {
  uint64_t before = 0;  // its accessCount when the plan was made
  uint64_t after = 0;
  uint64_t count = 0;  // how many accesses of the journal that covers
  Timestamp last;
};

struct AccessState {
  uint64_t generation = 0;  // of the journal; each writing anew makes another
  AccessCounts counts;
  uint64_t end = 0;                                         // where the next line goes
  uint64_t bad_lines = 0;                                   // that were damaged before the last good one
  std::map<std::string, PlannedFold, std::less<>> planned;  // of this generation

  // What to add to the count that a file has now, and the last access where it is later.
  AccessCount pending(const Memory& memory) const;
};

// Nothing when there is no journal; what is damaged in it is passed over.
Result<AccessState> read_accesses(const FileSystem& files, const std::string& memory_dir);

// Adds one access of each path. They are on disk when this returns.
knapsack::Status record_accesses(TreeWriter& writer, std::span<const std::string> paths, Timestamp now);

// Finishes an interrupted folding, then folds the next few when enough wait. True when something was folded.
Result<bool> fold_accesses(TreeWriter& writer, size_t fold_from = kFoldFrom, size_t at_once = kFoldAtOnce);

}  // namespace knapsack::memory

// Remembering, forgetting and judging memories: what the commands do to the tree.
//
// A memory is written first, then what follows from it: its artifact, and the word in the memories that it
// supersedes. Each step is a whole file and may be repeated, so a run that was killed between two of them is
// finished by the next that finds the memory. Callers hold a TreeWriter and a catalogue that was opened under
// its lock.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "memory/tree/catalogue.h"
#include "memory/tree/tree.h"
#include "memory/tree/tree_writer.h"

namespace knapsack::memory {

inline constexpr size_t kMaxRememberedBytes = size_t{256} * 1024;
inline constexpr size_t kMaxTags = 50;
inline constexpr size_t kMaxTagBytes = 100;
// From this confidence on the weightiest categories are also kept word for word.
inline constexpr double kArtifactConfidence = 0.8;

struct NewMemory {
  std::string text;
  std::string category;              // empty: its words tell
  std::optional<double> importance;  // nothing: its words tell
  double confidence = 0.9;           // somebody said so, which is more than having read it somewhere
  std::vector<std::string> tags;
  std::vector<std::string> supersedes;  // ids in the same namespace
  std::string name_space;
  Timestamp now;
};

struct Remembered {
  Memory memory;
  std::string artifact;    // its id; empty when none was written
  bool duplicate = false;  // nothing new: `memory` is the one that says the same
  std::vector<std::string> superseded;
};

// kUsage for an empty text, an unknown category, a share outside 0…1; kNotFound for a superseded id that is
// not there.
Result<Remembered> remember(TreeWriter& writer, const Catalogue& catalogue, const NewMemory& wanted);

// What remember() asks of a new memory: kUsage for an empty text, an unknown category, a share outside 0…1.
knapsack::Status check_new_memory(const NewMemory& wanted);

// The memory that remember() would write, for who wants to know first what it contradicts. Not checked.
Memory describe_memory(const Catalogue& catalogue, const NewMemory& wanted);

// Never recalled again; the file stays.
knapsack::Status forget(TreeWriter& writer, const Memory& memory, Timestamp now);
// Deletes the file and the artifacts that repeat it. The paths that are gone.
Result<std::vector<std::string>> purge(TreeWriter& writer, const Catalogue& catalogue, const Memory& memory);

struct FeedbackCounts {
  uint64_t useful = 0;
  uint64_t not_useful = 0;
};
// One more vote. A useful one also takes back one of the others.
Result<FeedbackCounts> give_feedback(TreeWriter& writer, const Memory& memory, bool useful);

// The memory that somebody means by an id or a path, among those that may be read: kNotFound with the nearest
// id, kUsage when several namespaces have it.
Result<const Memory*> find_memory(const Catalogue& catalogue, const std::string& named,
                                  const ReadRules& rules);

}  // namespace knapsack::memory

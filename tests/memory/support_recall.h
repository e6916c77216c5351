// Memories as plain data with an index over them, for tests of recall.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/files/memory_file_system.h"
#include "memory/recall/recall.h"
#include "memory/tree/documents.h"
#include "search/segments/segment_set.h"
#include "support/support.h"

namespace knapsack::memory {

// 2026-11-15T12:00:00Z.
Timestamp test_now();
Timestamp days_ago(double days);

// A note of the default namespace, written a day ago, alone in its session.
Memory note(const std::string& id, const std::string& text);
// Said by somebody in a session, in the order of `minute`.
Memory turn(const std::string& id, const std::string& session, int minute, const std::string& speaker,
            const std::string& text);

class RecallFixture {
 public:
  // Sorted as a catalogue would have them.
  explicit RecallFixture(std::vector<Memory> memories);

  std::span<const Memory> memories() const { return memories_; }
  const search::Index& index() const { return *index_; }
  const Memory& operator[](const std::string& id) const;

  // Ids, best first.
  std::vector<std::string> ranked(const std::string& question, const RankingOptions& options = {}) const;
  // What find_memories() and choose_memories() give at test_now().
  Recalled recall(const std::string& prompt, const RecallOptions& options = {},
                  std::vector<std::string> namespaces = {"", "shared"}) const;
  // Ids of what was taken, in order.
  static std::vector<std::string> taken(const std::vector<RecalledMemory>& memories);

 private:
  std::vector<Memory> memories_;
  std::unique_ptr<search::Index> index_;
};

}  // namespace knapsack::memory

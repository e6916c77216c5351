// Catalogue: every memory of the tree as of the last look at it, and the search index of their texts.
//
// The files are the truth. Opening looks at each of them and reads those that are not as they were when they
// were read last; what is kept of the others under the state folder is derived, and made anew where it is
// missing, damaged or of another version. Opening never waits for another process. Immutable once open; safe
// to share between threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/file_system.h"
#include "memory/tree/memory.h"
#include "search/segments/index.h"

namespace knapsack::memory {

struct CatalogueRequest {
  std::string memory_dir;
  std::string state_dir;      // derived files go below it; it must be there to be written to
  bool read_only = false;     // writes nothing
  bool on_disk = true;        // false for a file system in memory: there is nobody to lock out
  std::string team_dir = {};  // copies of what teams remember, a tree each; empty: none
};

// What opening did, for --stats and tests.
struct CatalogueWork {
  uint64_t files = 0;    // memories in the tree
  uint64_t read = 0;     // that were read now, being new or changed
  uint64_t removed = 0;  // that were known and are gone
  bool rebuilt = false;  // nothing derived could be used
  bool saved = false;    // derived files were written
};

// Removes the derived files, which then are made anew: for what must not stay in them. Waits a moment for
// whoever writes them.
knapsack::Status discard_derived(FileSystem& files, const CatalogueRequest& request);

class Catalogue {
 public:
  static Result<Catalogue> open(FileSystem& files, const CatalogueRequest& request);

  // Sorted by namespace, session, created, id: neighbours in time are neighbours here.
  std::span<const Memory> memories() const { return memories_; }
  // One document a memory, key = Memory::path, one unit each; fields by memory/tree/documents.h.
  const search::Index& index() const { return *index_; }
  // Broken front matter, an unreadable file, a link passed over, a file too large: a line each.
  const std::vector<std::string>& warnings() const { return warnings_; }
  const CatalogueWork& work() const { return work_; }

  // The memory of a path; nullptr when there is none.
  const Memory* find(std::string_view path) const;
  // Those with this id, in the order of memories(); ids are unique in a namespace only.
  std::vector<const Memory*> with_id(std::string_view id) const;

 private:
  friend class CatalogueReader;
  std::vector<Memory> memories_;
  std::vector<uint32_t> by_path_;  // positions, ascending by path
  std::shared_ptr<const search::Index> index_;
  std::vector<std::string> warnings_;
  CatalogueWork work_;
};

}  // namespace knapsack::memory

// CatalogueReader: the steps by which a catalogue comes up to date with its tree. Known inside memory/ only.
//
//   known table + walked tree ─► compare ─► read what changed ─► merge ─► search parts ─► (save) ─► catalogue
//
// One call, one reader, one thread that it is used from.
// Private to memory/tree/.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "memory/tree/catalogue.h"
#include "memory/tree/search_parts.h"
#include "memory/tree/table.h"
#include "memory/tree/tree.h"

namespace knapsack::memory {

// Up to this many changes are read again at each opening instead of writing the table anew: writing it costs
// more than reading so many files, and a tree in use changes a few files at a time.
inline constexpr size_t kMaxUnsavedChanges = 64;

// The folder of derived files: one a memory folder, so that a workspace may look at several.
std::string derived_folder(const CatalogueRequest& request);

class CatalogueReader {
 public:
  CatalogueReader(FileSystem& files, const CatalogueRequest& request);
  Result<Catalogue> run();

 private:
  // A memory that was read now.
  struct Fresh {
    Memory memory;
    Stamp stamp;
    std::vector<std::string> remarks;
    uint32_t known_as = kUnknown;  // its position in the table
    bool readable = false;
  };
  static constexpr uint32_t kUnknown = UINT32_MAX;

  void load_known(const std::string& fingerprint);
  bool load_table_and_segments(const std::string& fingerprint);
  void compare();
  void read(Fresh& fresh, const Folder* root, const Folder* teams) const;
  knapsack::Status read_changed();
  // Changes that turn out to be none: the file was touched, or was too young to be trusted.
  void drop_unchanged();
  knapsack::Status merge();
  void merge_memories();
  knapsack::Status save(std::span<const Memory* const> added);
  void add_accesses(std::vector<Memory>& memories, const std::vector<uint32_t>& by_path);
  Result<Catalogue> finish();

  FileSystem& files_;
  const CatalogueRequest& request_;
  std::string folder_;  // of derived files
  Tree tree_;
  Table table_;
  SearchParts parts_;
  std::vector<Fresh> fresh_;
  std::vector<char> gone_;  // by position in the table: removed, or replaced by a fresh one
  std::vector<std::string> warnings_;
  CatalogueWork work_;
};

}  // namespace knapsack::memory

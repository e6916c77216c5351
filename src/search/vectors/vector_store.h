// VectorStore: the vectors of one source's texts in one space, as files in a folder of their own.
//
// All of it is derived: whatever is missing, damaged or of another space is embedded again, and spaces are
// never mixed. Files only ever come (whole, synced and renamed) and go, so a crash at any moment leaves a
// store that opens; at worst a text has its vector in two files. Several processes may add at once. A search
// looks at every vector, by several threads where they are many. One thread may call it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "search/vectors/vector_file.h"
#include "store/file_lock.h"

namespace knapsack::search {

// Files beyond these are joined into one.
inline constexpr size_t kMaxVectorFiles = 16;

struct VectorStoreOptions {
  bool on_disk = false;  // then writers and whoever sweeps up after them hold a lock on the folder
};

// A text that has a vector, or shall have one.
struct VectorUnit {
  std::string hash;   // of its content
  uint32_t unit = 0;  // what its owner calls it
};

struct UnitNeighbour {
  uint32_t unit = 0;
  float score = 0;
  bool operator==(const UnitNeighbour&) const = default;
};

class VectorStore {
 public:
  // Makes the folder of the space below `root`, which must be there. What is damaged or of another space is
  // removed.
  static Result<VectorStore> open(FileSystem& files, const std::string& root, VectorSpace space,
                                  const VectorStoreOptions& options = {});

  // The folder of a space below its root.
  static std::string folder_of(const VectorSpace& space);
  // Removes the vectors of all spaces below `root`, if that is there, and what killed writers left of them; no other file.
  static Status discard(FileSystem& files, const std::string& root);

  size_t size() const { return places_.size(); }
  bool holds(std::string_view hash) const { return places_.contains(hash); }
  size_t removed() const { return removed_; }  // files that could not be used

  // The units whose texts have no vector yet, each text once.
  std::vector<const VectorUnit*> missing(const std::vector<VectorUnit>& units) const;

  // Vectors of the length 1, one after the other, for these texts. They are on disk when this returns.
  Status add(const std::vector<std::string_view>& hashes, std::span<const float> vectors);
  // Joins files where they are many, and leaves out texts that are not among `hashes` where these are few.
  Status tidy(const std::vector<std::string_view>& hashes);

  // The k nearest of these units, best first, then the smaller unit.
  std::vector<UnitNeighbour> nearest(const std::vector<VectorUnit>& units, std::span<const float> vector,
                                     size_t k) const;

 private:
  struct Place {
    uint32_t file = 0;
    uint32_t row = 0;
  };
  VectorStore(FileSystem& files, std::string folder, VectorSpace space, const VectorStoreOptions& options)
      : files_(&files), folder_(std::move(folder)), space_(std::move(space)), options_(options) {}
  Status load();
  Status sweep(const std::vector<DirectoryEntry>& entries);
  Result<std::optional<FileLock>> hold() const;
  Status take_file(const std::string& name);
  float score(const VectorProbe& probe, const Place& place) const {
    return probe.score(opened_[place.file].rows(), place.row);
  }

  FileSystem* files_;
  std::string folder_;
  VectorSpace space_;
  VectorStoreOptions options_;
  std::vector<VectorFile> opened_;
  std::unordered_map<std::string_view, Place> places_;  // by hash; the keys lie in the files
  size_t removed_ = 0;
};

}  // namespace knapsack::search

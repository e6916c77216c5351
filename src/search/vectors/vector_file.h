// A file of vectors: which texts they stand for, by hash, and which model made them.
//
// Named by a hash of all its bytes, which is its checksum too: a file that was cut or damaged is refused
// whole. Written once, never changed; docs/formats.md has the layout. Reading maps the file; any thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/file_system.h"
#include "core/ids.h"
#include "search/vectors/vector_rows.h"

namespace knapsack::search {

inline constexpr size_t kUnitHashBytes = 32;  // core/ids.h: hexadecimal digits
inline constexpr std::string_view kVectorFileEnding = ".vectors";

// What makes vectors comparable. Two models of one name differ in what they make of the same text, so each
// file keeps that of one text that never changes.
struct VectorSpace {
  std::string model;
  uint32_t dimensions = 0;
  VectorEncoding encoding = VectorEncoding::kInt8;
  std::vector<float> probe;  // of kSpaceProbe, with the length 1
};
inline constexpr std::string_view kSpaceProbe = "Pack what is needed into the room there is.";

// The vectors that the same model gives for the same text twice differ in the last digits only; another
// model, or a coarser copy of this one, stays below.
inline constexpr float kSameSpace = 0.995F;
bool same_space(const VectorSpace& a, const VectorSpace& b);

class VectorFile {
 public:
  // kCorrupt for a file that is not what its name says.
  static Result<VectorFile> open(const FileSystem& files, const std::string& folder, const std::string& name);

  const std::string& name() const { return name_; }
  const VectorSpace& space() const { return space_; }
  const VectorRows& rows() const { return rows_; }
  // Of the text that a row stands for.
  std::string_view hash(uint32_t row) const { return hashes_.substr(row * kUnitHashBytes, kUnitHashBytes); }

 private:
  Status read(std::string_view bytes);

  std::string name_;
  std::shared_ptr<const FileBytes> file_;
  VectorSpace space_;
  VectorRows rows_;
  std::string_view hashes_;
};

// Rows in the making, in memory; those of one file.
class VectorFileBuilder {
 public:
  explicit VectorFileBuilder(VectorSpace space) : space_(std::move(space)) {}

  // A vector of the length 1 with the dimensions of the space.
  void add(std::string_view hash, std::span<const float> vector);
  // A row of another file of the same space, as it is.
  void add(const VectorFile& file, uint32_t row);
  uint32_t count() const { return count_; }

  // Writes, syncs and renames; the builder is empty afterwards. The name of the file.
  Result<std::string> write(FileSystem& files, const std::string& folder);

 private:
  std::string header() const;

  VectorSpace space_;
  uint32_t count_ = 0;
  std::string hashes_, factors_, numbers_;
};

}  // namespace knapsack::search

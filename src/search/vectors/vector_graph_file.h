// A file with the links of a VectorGraph, beside the files of the vectors that it links.
//
// Derived, named by a hash of all its bytes, written once. It names its vectors by the hashes of their texts
// and keeps the vector of the fixed text, so that links of one model are not followed among vectors of
// another. docs/search.md has the layout. Reading maps the file; any thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "search/vectors/vector_file.h"

namespace knapsack::search {

inline constexpr std::string_view kGraphFileEnding = ".graph";

struct GraphFile {
  std::string name;
  uint32_t count = 0;
  std::string_view hashes;  // of the nodes' texts, kUnitHashBytes each
  std::string_view links;   // as VectorGraph gave them
  std::shared_ptr<const FileBytes> bytes;

  std::string_view hash(uint32_t node) const {
    return hashes.substr(size_t{node} * kUnitHashBytes, kUnitHashBytes);
  }
};

// kCorrupt for a file that is not what its name says, is of another version or of another space.
Result<GraphFile> open_graph_file(const FileSystem& files, const std::string& folder, const std::string& name,
                                  const VectorSpace& space);
// Writes, syncs and renames. The name of the file.
Result<std::string> write_graph_file(FileSystem& files, const std::string& folder, const VectorSpace& space,
                                     std::string_view hashes, std::string_view links);

}  // namespace knapsack::search

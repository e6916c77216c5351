// CrossImports: imports that one repository makes of another one's packages.
//
// Each repository is resolved on its own first; what it imports from outside and what the manifests of another repository
// claim (code/package_names.h) is then asked of that one's resolver, as if a file outside of all its folders
// imported it. Edges are sorted by repository, file, import and confidence; the same repositories give the
// same edges. The indexes must outlive it only while it is built. Immutable once built; any thread may read.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "code/ask/code_index.h"

namespace knapsack::code {

struct CrossMember {
  CodeIndex* index = nullptr;
  ReadConfig read;  // the bytes of a manifest
};

struct CrossEdge {
  uint32_t from = 0;  // the repository, …
  uint32_t from_file = 0;
  uint32_t import = 0;  // its position among the imports of that file
  uint32_t to = 0;
  uint32_t to_file = 0;
  float confidence = 0;
};

class CrossImports {
 public:
  static Result<CrossImports> find(const std::vector<CrossMember>& members);

  const std::vector<CrossEdge>& edges() const { return edges_; }
  // Each target once, likeliest first.
  std::vector<CrossEdge> imports_of(uint32_t repository, uint32_t file) const;
  std::vector<CrossEdge> importers_of(uint32_t repository, uint32_t file) const;

 private:
  std::vector<CrossEdge> edges_;
};

}  // namespace knapsack::code

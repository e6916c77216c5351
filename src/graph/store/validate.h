// Validation: everything that is wrong with a store, line by line.
//
// It always reads the files themselves, never an index. Errors are what breaks a rule of the store; warnings
// are what works and may surprise.
#pragma once

#include <string>
#include <vector>

#include "core/files/file_system.h"
#include "core/result.h"
#include "graph/store/digest.h"
#include "graph/store/store.h"

namespace knapsack::graph {

struct Finding {
  bool error = true;
  Problem problem;
};

struct Validation {
  std::vector<Finding> findings;  // by file and line
  std::array<size_t, kLayers.size()> nodes{};
  size_t revisions = 0;
  size_t commits = 0;

  size_t errors() const;
};

Result<Validation> validate_store(const FileSystem& files, const StoreView& view);

}  // namespace knapsack::graph

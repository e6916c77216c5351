// What a model said of the files (`knapsack enrich --promote`), against what a task is about.
// Private to stages/.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "code/ask/code_index.h"
#include "understand/task_query.h"

namespace knapsack::stages {

struct MetadataMatch {
  uint32_t file = 0;
  uint32_t shared = 0;  // concepts, module and domain that the task has too
};

// Best first, then by file; at most as many as a scope has a use for. Nothing where no file is described.
Result<std::optional<std::vector<MetadataMatch>>> metadata_matches(code::CodeIndex& index,
                                                                   const TaskQuery& task);

}  // namespace knapsack::stages

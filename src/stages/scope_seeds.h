// Where the scope of a task starts: the files that the task itself points to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "code/code_index.h"
#include "core/task_query.h"
#include "stages/stage_context.h"

namespace knapsack::stages {

// A name that fits more places than this says little about which one is meant.
inline constexpr size_t kMaxPlacesOfHint = 3;
inline constexpr size_t kMaxDefinitions = 5;
// How far down the ranking files are considered at all.
inline constexpr size_t kRankedFiles = 100;
// Frames far from the failure are the caller's business.
inline constexpr size_t kMaxFrames = 8;

struct Seed {
  uint32_t file = 0;
  std::string relation;  // "named in the task", "defines Cart.total", "frame 1 of the stack trace"
  bool named = true;     // false: a model's guess
};

struct Seeds {
  std::vector<Seed> seeds;         // in the order in which the task points to them; a file may come twice
  std::vector<std::string> infos;  // hints that led nowhere, or to too many places
};

Result<Seeds> find_seeds(code::CodeIndex& index, const TaskQuery& task,
                         const std::vector<Requested>& requested);

}  // namespace knapsack::stages

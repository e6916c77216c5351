// Where the scope of a task starts: the files that the task itself points to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "code/ask/code_index.h"
#include "stages/stage_constants.h"
#include "stages/stage_context.h"
#include "understand/task_query.h"

namespace knapsack::stages {

inline constexpr const char* kNamedInTask = "named in the task";

struct Seed {
  uint32_t file = 0;
  std::string relation;           // "named in the task", "defines Cart.total", "frame 1 of the stack trace"
  Naming naming = Naming::kNone;  // kNone: a model's guess

  // The task's own words name the file, or a symbol that it defines.
  bool by_task() const { return naming == Naming::kPath || naming == Naming::kDefinition; }
};

struct Seeds {
  std::vector<Seed> seeds;         // in the order in which the task points to them; a file may come twice
  std::vector<std::string> infos;  // hints that led nowhere, or to too many places
};

// Whether something that is called or made, and no test, has this name.
Result<bool> names_callable(code::CodeIndex& index, const std::string& name);

Result<Seeds> find_seeds(code::CodeIndex& index, const TaskQuery& task,
                         const std::vector<Requested>& requested);

}  // namespace knapsack::stages

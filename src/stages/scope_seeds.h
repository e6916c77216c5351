// Where the scope of a task starts: the files that the task itself points to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "code/ask/code_index.h"
#include "stages/stage_constants.h"
#include "stages/stage_context.h"
#include "understand/task_query.h"

namespace knapsack::stages {

inline constexpr const char* kNamedInTask = "named in the task";

// Before the symbol of the task that a file defines.
inline constexpr std::string_view kDefines = "defines ";

// Whether the task itself has the path, or the end of it.
bool is_called_by_path(const ScopedFile& file);
// Whether it is only named for what it defines.
bool is_named_for_definition(const ScopedFile& file);

struct Seed {
  uint32_t file = 0;
  std::string relation;  // "named in the task", "defines Cart.total", "frame 1 of the stack trace"
  bool named = true;     // false: a model's guess
  bool by_task = false;  // its words name the file, or a symbol that it defines
};

struct Seeds {
  std::vector<Seed> seeds;         // in the order in which the task points to them; a file may come twice
  std::vector<std::string> infos;  // hints that led nowhere, or to too many places
};

Result<Seeds> find_seeds(code::CodeIndex& index, const TaskQuery& task,
                         const std::vector<Requested>& requested);

}  // namespace knapsack::stages

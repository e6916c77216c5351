// The type of a task, by what its title asks for and then by what its sentences talk about (English and
// Russian).
//
// Whole words alone count ("prefix" and "latest" say nothing), and what a verb asks for counts more than what
// is mentioned: "add a test for the fix" is about a test. The rules are listed in docs/scoring.md. Pure
// functions; any thread.
// Private to understand/.
#pragma once

#include <string_view>

#include "understand/task_query.h"

namespace knapsack {

struct TaskTypeInput {
  std::string_view title;
  std::string_view prose;   // all other sentences
  bool has_errors = false;  // the text quotes an error or a stack trace
};
TaskType task_type_of(const TaskTypeInput& input);

}  // namespace knapsack

// Task analysis: what a task text asks for, as far as reading it tells (understand/task_query.h).
//
// Deterministic, without a model and without looking anything up; the rules and lists are in docs/scoring.md,
// "How a task is read". Linear in the text, any bytes; all that comes out but the text itself is valid UTF-8
// and bounded. Pure; any thread.
#pragma once

#include <string_view>

#include "understand/task_query.h"

namespace knapsack {

// A task that names more than these is a log; what stands first is kept.
constexpr size_t kMaxPaths = 200;
constexpr size_t kMaxSymbols = 300;
constexpr size_t kMaxReferences = 100;  // issue numbers and commit ids together
constexpr size_t kMaxQuoted = 100;
constexpr size_t kMaxQuotedBytes = 4000;  // of one entry

TaskQuery analyze_task(std::string_view text);
// The same paths and symbols, and nothing that says what a text is about: for a text that asks for nothing.
TaskQuery find_mentions(std::string_view text);

}  // namespace knapsack

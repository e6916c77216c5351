// Where the symbols that a task names are used, and which tests are called after a file.
//
// Reads the index alone, no file. What is looked at is bounded; what the bound leaves out is said. One thread
// at a time, as for CodeIndex.
// Private to stages/.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "code/ask/code_index.h"
#include "stages/stage_context.h"
#include "understand/task_query.h"

namespace knapsack::stages {

struct FileUses {
  double weight = 0;                 // confidence times count, summed
  float confidence = 0;              // of the surest
  std::vector<uint32_t> lines;       // of uses that are sure enough, sorted, each once
  std::vector<std::string> symbols;  // as the task writes them; none for lines of the file that defines them
};

struct SymbolUses {
  std::map<uint32_t, FileUses> files;
  std::vector<LeftOut> left_out;
};

// Uses of the symbols; of those in the files that define them the lines alone. `near` are looked at first where many
// files mention a name.
Result<SymbolUses> find_uses(code::CodeIndex& index, const TaskQuery& task,
                             const std::unordered_set<uint32_t>& near);

// The tests that are called after a file: tests/core/clock_test.cc for src/core/clock.h.
std::vector<uint32_t> tests_called_after(const code::CodeIndex& index, uint32_t subject);

}  // namespace knapsack::stages

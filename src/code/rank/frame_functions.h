// The functions that a frame of a stack trace means by its name alone, where the trace tells no file that is known here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "code/ask/code_index.h"
#include "understand/traces/frame_name.h"

namespace knapsack::code {

// Whether a name that is not its owner's may mean a function all the same.
enum class OtherOwners {
  kAny,   // bundles rename classes
  kNone,  // the trace tells the class: only what stands in no class, as modules and namespaces are owners too
};

// Whether a definition is a member of a type; `symbols` are those of its file.
bool is_member(std::span<const SymbolRow> symbols, const Symbol& symbol);

// The file of each such function that is no test: those of its owner, or of any where the name has several words.
Result<std::vector<uint32_t>> files_of_function(CodeIndex& index, const FrameName& name, OtherOwners others);

}  // namespace knapsack::code

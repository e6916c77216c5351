// Who refers to a name, and what the references of a file mean: import-aware, with a confidence.
//
// Edges are worked out when they are asked for, from what is stored of each blob and the snapshot's imports,
// so that they are always those of the snapshot and cost nothing to keep for a thousand of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "code/ask/code_index.h"

namespace knapsack::code {

struct ReferenceUse {
  uint32_t file = 0;
  uint32_t line = 0;  // of the first
  uint32_t count = 1;
  ReferenceKind kind = ReferenceKind::kCall;
  std::string qualifier;
  std::string enclosing;  // the qualified name of the symbol around it; empty at the top of a file
  // What it most likely means, where that is anything in the snapshot.
  uint32_t target_file = 0;
  uint32_t target_symbol = 0;
  float confidence = 0;  // 0: nothing is known of it
  ReferenceReason reason = ReferenceReason::kSharedName;
};

// Every reference to a plain name, by confidence, then by file and line. Only those that may mean a symbol
// for which `wanted` says true, when it is given.
Result<std::vector<ReferenceUse>> references_to(
    CodeIndex& index, std::string_view name,
    const std::function<bool(uint32_t file, uint32_t symbol)>& wanted = {});

// The files whose text holds a name, by number; all of them for a name that is no word, such as an operator.
Result<std::vector<uint32_t>> files_that_mention(CodeIndex& index, std::string_view name);
// The references to a plain name in these files, as references_to() gives them.
Result<std::vector<ReferenceUse>> references_in(
    CodeIndex& index, std::string_view name, const std::vector<uint32_t>& files,
    const std::function<bool(uint32_t file, uint32_t symbol)>& wanted);

// What a symbol and everything inside it refer to, in the order of the file; only what means something in the
// snapshot.
Result<std::vector<ReferenceUse>> references_within(CodeIndex& index, uint32_t file, uint32_t symbol);

// A reference edge between two files.
struct ReferenceEdge {
  uint32_t file = 0;    // where the name is defined
  uint32_t symbol = 0;  // its position there
  std::string name;
  uint32_t count = 0;
  float confidence = 0;
};
// What the references of a file mean in other files, by file and symbol.
Result<std::vector<ReferenceEdge>> references_of(CodeIndex& index, uint32_t file);
// Only of those references that are wanted; `facts` are the file's.
Result<std::vector<ReferenceEdge>> references_of(
    CodeIndex& index, uint32_t file, const ParsedFile& facts,
    const std::function<bool(const Reference& reference)>& wanted);

}  // namespace knapsack::code

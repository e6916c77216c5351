// The definition that a use stands in, for who follows uses from definition to definition.
//
// Keeps the symbols of the files that were asked about. One thread, as for CodeIndex.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "code/ask/code_references.h"

namespace knapsack::code {

class EnclosingSymbols {
 public:
  explicit EnclosingSymbols(CodeIndex& index) : index_(index) {}

  // Null for a use at the top of a file. Lasts as long as this object.
  Result<const SymbolRow*> around(const ReferenceUse& use);

 private:
  CodeIndex& index_;
  std::unordered_map<uint32_t, std::vector<SymbolRow>> symbols_;  // by file
};

}  // namespace knapsack::code

// The units of a file: stretches of lines that are shown or left out as a whole, and the symbols they are.
//
// Functions, methods, types without their members, and what stands at the top of a file. They do not
// overlap; what lies between them belongs to none. Pure functions over the rows of one file.
#pragma once

#include <string>
#include <vector>

#include "core/candidate.h"
#include "store/curated_rows.h"

namespace knapsack::stages {

struct FileUnit {
  uint32_t position = 0;  // among the symbols of the file
  LineRange lines;        // with its comment and decorators; a type without its members
};

// Sorted by line.
std::vector<FileUnit> units_of(const std::vector<SymbolRow>& symbols);

// The unit that holds a line; null where none does.
const FileUnit* unit_at(const std::vector<FileUnit>& units, uint32_t line);
// The unit of a symbol, or the one around it; null where there is none.
const FileUnit* unit_of_symbol(const std::vector<FileUnit>& units, const std::vector<SymbolRow>& symbols,
                               uint32_t position);

}  // namespace knapsack::stages

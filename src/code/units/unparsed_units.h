// cut_unparsed: units of a program that nobody parses here, such as one of Perl, Dart or R, told by how people lay out
// code: what it defines begins a line with a word for it, and its lines lie deeper. Pure functions.
// Private to code/units/.
#pragma once

#include <string>
#include <vector>

#include "code/units/units.h"

namespace knapsack::code {

struct UnparsedPiece {
  LineRange lines;
  std::string name;  // of what it defines; may be empty
  bool is_documentation = false;
};
// In order; each line that is not blank is in one of them. Empty where the text defines nothing.
std::vector<UnparsedPiece> cut_unparsed(const TextLines& text);

}  // namespace knapsack::code

// A ParsedFile as text that a person can read line by line and judge.
#pragma once

#include <string>
#include <vector>

#include "code/parse/parsed_file.h"

namespace knapsack::code {

std::string dump(const ParsedFile& file);
// The qualified names of its symbols, in their order.
std::vector<std::string> names_in(const ParsedFile& file);

}  // namespace knapsack::code

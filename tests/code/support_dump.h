// A ParsedFile as text that a person can read line by line and judge.
#pragma once

#include <string>

#include "code/parse/parsed_file.h"

namespace knapsack::code {

std::string dump(const ParsedFile& file);

}  // namespace knapsack::code

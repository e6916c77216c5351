// Whether a question and the code have a word in common, which a packet says where they have none: whoever asked in
// another language, or in words of another trade, then knows why little was found. Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "code/rank/file_ranking.h"
#include "stages/stage_context.h"

namespace knapsack {

// One line for people; empty where a file holds a word of the question, and where there is no file at all.
std::string no_common_word(const std::vector<code::RankedFile>& ranked, size_t files);
std::string no_common_word(const std::vector<stages::ScopedFile>& scoped, size_t files);

}  // namespace knapsack

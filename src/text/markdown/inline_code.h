// Inline code of one line of Markdown: a run of backticks up to the next run of the same length.
//
// Linear; the pieces are views of the line, in its order, and cover all of it but the backticks. Pure
// functions.
#pragma once

#include <string_view>
#include <vector>

namespace knapsack {

struct InlinePiece {
  std::string_view text;
  bool code = false;
};

std::vector<InlinePiece> split_inline_code(std::string_view line);

}  // namespace knapsack

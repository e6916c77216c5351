// Edits of a text that only add, and how to take them back.
//
// Insertions are what `init` makes: since nothing is ever removed or moved, the text before is the text after
// without them, byte for byte. Pure functions; any thread.
// Private to clients/.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace knapsack::clients {

struct Insertion {
  size_t at = 0;  // in the text before
  std::string text;
  bool operator==(const Insertion&) const = default;
};

// A text after insertions, which are ordered by place; of two at one place the first stands first.
std::string with_insertions(std::string_view before, const std::vector<Insertion>& insertions);
// The text before into `before`; false where `after` does not hold the insertions in their places.
bool without_insertions(std::string_view after, const std::vector<Insertion>& insertions,
                        std::string& before);

// "\r\n" where the first line of the text ends with it, else "\n".
std::string_view line_break_of(std::string_view text);

}  // namespace knapsack::clients

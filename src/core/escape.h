// Escaping of names that came from outside before a person's terminal sees them.
#pragma once

#include <string>
#include <string_view>

namespace knapsack {

// Control characters (line breaks and ANSI escapes among them) and bytes that are not UTF-8 become \n, \t or
// \xHH, and what turns the direction of writing \u202e, so that a hostile file name can neither break a one-line
// message nor drive the terminal nor be taken for another.
std::string escape_control(std::string_view text);

// The same for a text of several lines, which stay lines; the last one ends with a line feed.
std::string escape_lines(std::string_view text);

}  // namespace knapsack

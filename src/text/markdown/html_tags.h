// The HTML that Markdown carries: <details>, <summary>, <br> and their like.
#pragma once

#include <string>
#include <string_view>

namespace knapsack {

// The line with a space for every tag of a known name, except inside `inline code`. Other angle brackets
// stay: `vector<int>` and `<module>` are code. Linear; any thread.
std::string drop_tags(std::string_view line);

}  // namespace knapsack

// Related words: what else an everyday word is called, and what belongs to it.
//
// A question says "exercise" where the memory says "yoga". Two kinds of rows: words for the same thing, each
// of which leads to all others, and a class with its members, which leads from the class to them and not
// back. Everyday English and Russian only: the words of a trade are the business of whoever writes about it.
// Read-only; any thread.
#pragma once

#include <string_view>
#include <vector>

namespace knapsack {

// Words related to a lower-cased word in any of its regular forms, without those that share its stem.
std::vector<std::string_view> related_words(std::string_view word);

}  // namespace knapsack

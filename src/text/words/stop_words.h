// Stop words: the function words of English and Russian, which say nothing about what a text is about.
//
// They are indexed like all others and dropped from queries only, so a phrase of them can still be found.
#pragma once

#include <string_view>

namespace knapsack {

// Whether a lower-cased word is one of them. The word as written, before stemming.
bool is_stop_word(std::string_view word);

}  // namespace knapsack

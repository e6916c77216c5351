// Characters whose category changed since Unicode 8, which is what the tokenizer of the models knows.
//
// Found by asking it about every code point (tests/meaning has the sums). Pure functions; any thread.
// Private to meaning/.
#pragma once

namespace knapsack::meaning {

// Marks, format characters and punctuation marks that came later: letters to the models' tokenizer.
bool is_newer_character(char32_t code_point);
// Punctuation marks then, which are none today.
bool is_punctuation_then(char32_t code_point);
// A mark that takes no room of its own then, and does today.
inline constexpr char32_t kStrippedThoughSpacing = 0x1734;

}  // namespace knapsack::meaning

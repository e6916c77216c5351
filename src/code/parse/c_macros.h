// Macros that stand where the grammars of C and C++ know no word: `Q_OBJECT` on a line of its own, `class API Name`,
// `INLINE bool f()`.
//
// A grammar sees a file before the preprocessor does, and one such word can cost it the class around it. Which words are
// macros follows from their place alone. Pure functions.
// Private to code/parse/.
#pragma once

#include <string>
#include <string_view>

namespace knapsack::code {

// The text with blanks in place of such words, byte for byte as long; false where it has none.
bool blank_c_macros(std::string_view bytes, std::string& blanked);

}  // namespace knapsack::code

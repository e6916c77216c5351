// Names that look alike. Pure; any bytes; any thread.
#pragma once

#include <string>
#include <string_view>

namespace knapsack {

// What a name is to who ignores case, invisible characters and how a character is written (Unicode's
// NFKC_Casefold): two names that look alike to a file system or a person are the same here. Empty where the
// text is not UTF-8.
std::string compatible_fold(std::string_view text);

}  // namespace knapsack

// The names of symbols: cleaning what the source says and joining it with its parents'. Pure functions.
// Private to code/parse/.
#pragma once

#include <string>
#include <string_view>

#include "code/parse/parsed_file.h"

namespace knapsack::code {

// A longer name is a sentence or an accident.
inline constexpr size_t kMaxNameBytes = 200;

// The name as people say it: literals without quotes (`it("adds")`), symbols and atoms without their colon,
// conversion operators without their parameters. May come back empty.
std::string clean_name(std::string_view text, SymbolKind kind);

// "a::B<T>", "A\B" or "a:b" with '.' between its parts and without type arguments.
std::string normalise_name(std::string_view name);

// parent, separator and name; the name alone where there is no parent.
std::string join_name(std::string_view parent, std::string_view separator, std::string_view name);

// "a.b.c" with another separator.
std::string with_separator(std::string_view dotted, std::string_view separator);

// "MAX_SIZE": capitals only, and more than one of them.
bool is_upper_case(std::string_view name);

}  // namespace knapsack::code

// What may stand behind a name and still say which name is meant: the mark of `save!` and `empty?`, which is a part of the
// name in Ruby, Elixir and Crystal, and the arity of `cast/4`, by which Elixir and Erlang tell functions apart.
//
// Both look at a few bytes alone; whether a mark only ends a sentence is for the reader of the sentence to say. Pure
// functions; any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace knapsack {

// '!' or '?' that the text behind a name begins with as a part of that name, else '\0'. Not in `a!=b`, `a?b:c`, `a??`,
// `a?->b`, nor behind a type.
char name_mark(std::string_view name, std::string_view behind);

// How many bytes of "/3" the text behind a name begins with; 0 for what goes on as a path, a number or a line: "/3/x",
// "/3.1", "/3:12", "/300".
size_t arity_size(std::string_view behind);

}  // namespace knapsack

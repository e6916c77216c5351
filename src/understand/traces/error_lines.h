// Lines that say what went wrong: `ValueError: bad price`, `panic: …`, `src/a.cc:3:1: error: …`, `Ошибка: …`.
//
// One pass over the line. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

namespace knapsack {

// A message that is longer is cut: what identifies an error stands at its beginning.
constexpr size_t kMaxErrorBytes = 400;
std::string cut_error(std::string_view message);  // also without white space around it

// What a line that begins with an error says, without what is printed around it ("Caused by:", "E   ", the
// place of a compiler's message); empty for any other line.
std::string error_of_line(std::string_view line);

// The error that a sentence quotes: "it fails with KeyError: 'user' on login" gives "KeyError: 'user' on
// login". Empty where there is none.
std::string error_in_sentence(std::string_view text);

// Whether a word names an exception by the habits of most languages: `ValueError`, `java.io.IOException`.
bool is_exception_name(std::string_view word);

// Whether a line begins with a dotted name and ends there or goes on with a colon: all that Python's last
// line of a trace promises, whatever the exception is called.
bool is_name_and_message(std::string_view line);

}  // namespace knapsack

// UTF-8 as it comes from outside: every function takes any bytes, and knows what is not UTF-8 by the rule of core/utf8.h.
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/utf8.h"

namespace knapsack {

// Appends a code point of at most U+10FFFF that is not a surrogate.
void append_code_point(std::string& text, char32_t code_point);

bool valid_utf8(std::string_view text);

// Code points, where each byte that belongs to none counts as one: never fewer than the sanitized text has.
size_t count_code_points(std::string_view text);

// The first `count` code points, or all of them.
std::string_view first_code_points(std::string_view text, size_t count);

// The text with U+FFFD for what is not UTF-8.
std::string replace_invalid_utf8(std::string_view text);

// The same, and without a byte order mark at its start: how a text that was read from outside is kept.
// A text that is clean already is handed on as it is.
std::string sanitize_utf8(std::string text);

}  // namespace knapsack

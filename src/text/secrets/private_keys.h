// Private keys as blocks of text: PEM of every kind, OpenSSH, PGP, PuTTY.
//
// A block is told by its first line and by what follows: lines of base64, bare or as strings, comments,
// escapes and quoted mail wrap them. It ends with its last line, or where the text stops being one, so that a
// program that only speaks of "BEGIN PRIVATE KEY" keeps its lines. Pure functions, linear; any thread.
// Private to text/secrets/.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace knapsack {

struct SecretSpan {
  size_t begin = 0, end = 0;
  const char* kind = "";
  bool by_name = false;  // nothing but a name says so: what a shape says of the same text is more
};

// Of the block in whose first line "PRIVATE KEY" stands at `at`.
std::optional<SecretSpan> private_key_at(std::string_view text, size_t at);
// Of the lines behind PuTTY's "Private-Lines:" at `at`.
std::optional<SecretSpan> putty_key_at(std::string_view text, size_t at);

}  // namespace knapsack

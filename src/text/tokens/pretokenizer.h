// Pre-tokenizers: where the two published split patterns cut a text into the pieces that BPE works on.
//
// Each is a scanner of its pattern by hand, with the meaning that a leftmost-first regular expression engine
// gives it, and reads every byte a bounded number of times. No piece crosses a line feed that is followed by
// neither white space nor '/'. Pure functions; any thread.
// Private to text/tokens/.
#pragma once

#include <cstddef>
#include <string_view>

namespace knapsack {

// The length of the first piece of a text that is valid UTF-8 and not empty.
using FirstPiece = size_t (*)(std::string_view text);

// (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+
// |\s+(?!\S)|\s+
size_t first_piece_cl100k(std::string_view text);

// [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
// |[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
// |\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
size_t first_piece_o200k(std::string_view text);

}  // namespace knapsack

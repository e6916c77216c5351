// The published implementation of the BPE encodings as an oracle, and texts to ask it about.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace knapsack::testing {

// For each text its token ids by the npm package `tiktoken`, or the lengths of the pieces that its split
// pattern makes by the regular expressions of node. `encoding` is cl100k_base or o200k_base.
std::vector<std::vector<uint32_t>> reference_tokens(const std::string& encoding,
                                                    const std::vector<std::string>& texts);
std::vector<std::vector<uint32_t>> reference_pieces(const std::string& encoding,
                                                    const std::vector<std::string>& texts);

// The files of tests/fixtures/tokens, in order of their names.
struct Fixture {
  std::string name;
  std::string bytes;
};
std::vector<Fixture> token_fixtures();

// A text over one of several alphabets, each made to meet a part of the split patterns: case changes,
// contractions, digits, white space of all kinds, symbols, marks, emoji, other scripts, invalid bytes. Never
// the same way twice in a row, always the same for the same state of the generator.
std::string random_text(std::mt19937& random, size_t max_symbols);

}  // namespace knapsack::testing

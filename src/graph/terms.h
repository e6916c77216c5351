// Terms: the words of nodes and requests as numbers, so that a hundred thousand nodes are compared in
// milliseconds.
//
// A term is a 64-bit hash of a stemmed word with its lowest bit free; two words of one graph that share one
// are as likely as damage that no checksum finds. Stop words have none. One reader belongs to one thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/words.h"

namespace knapsack::graph {

using Term = uint64_t;
inline constexpr Term kNoTerm = 0;
// Set on a term that stands in the title, a tag or the type of a node, not only in its text.
inline constexpr Term kProminent = 1;

class TermReader {
 public:
  TermReader() : memory_(kRemembered) {}

  // Appends the terms of a text, each with `mark` on it.
  void read(std::string_view text, Term mark, std::vector<Term>& terms);
  // The term of one word; kNoTerm for a stop word.
  Term term_of(const Word& word);

 private:
  // Stemming costs ten times what reading a word does, and the words of a graph repeat.
  static constexpr size_t kRemembered = 1U << 17U;
  struct Remembered {
    uint64_t word = 0;
    Term term = kNoTerm;
  };

  WordReader words_{{}, word_options()};
  std::vector<Remembered> memory_;

 public:
  static WordOptions word_options() {
    WordOptions options;
    options.min_length = 2;
    return options;
  }
};

}  // namespace knapsack::graph

#include "graph/terms.h"

#include <xxhash.h>

#include "text/stem.h"
#include "text/stop_words.h"

namespace knapsack::graph {

Term TermReader::term_of(const Word& word) {
  const uint64_t hash = XXH3_64bits(word.text.data(), word.text.size());
  Remembered& known = memory_[hash % kRemembered];
  if (known.word == hash) return known.term;
  known.word = hash;
  if (is_stop_word(word.text)) return known.term = kNoTerm;
  // Wholes and pairs are names, not words of a language; a plain word of the same letters may share the memory,
  // so names are stemmed like it.
  const std::string_view stemmed = stem(Stemming::kByScript, word.text);
  return known.term = (XXH3_64bits(stemmed.data(), stemmed.size()) | 2U) & ~kProminent;
}

void TermReader::read(std::string_view text, Term mark, std::vector<Term>& terms) {
  words_.reset(text);
  Word word;
  while (words_.next(word)) {
    if (const Term term = term_of(word); term != kNoTerm) terms.push_back(term | mark);
  }
}

}  // namespace knapsack::graph

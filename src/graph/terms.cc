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
  // What holds a digit or a connector is a name, not a word of a language.
  const bool is_name = word.text.find_first_of("0123456789_") != std::string_view::npos;
  const std::string_view stemmed = is_name ? word.text : stem(Stemming::kByScript, word.text);
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

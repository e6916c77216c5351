#include "graph/store/terms.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "text/words/stem.h"
#include "text/words/stop_words.h"

namespace knapsack::graph {

WordOptions term_word_options() {
  WordOptions options;
  options.min_length = 2;
  return options;
}

Term term_of(std::string_view word) {
  if (is_stop_word(word)) return kNoTerm;
  // What holds a digit or a connector is a name, not a word of a language.
  const bool is_name = word.find_first_of("0123456789_") != std::string_view::npos;
  const std::string_view stemmed = is_name ? word : stem(Stemming::kByScript, word);
  return XXH3_64bits(stemmed.data(), stemmed.size()) | 1U;
}

uint32_t TermReader::learn(std::string_view word) {
  const Term term = term_of(word);
  if (term == kNoTerm) return kStopWord;
  const auto [place, fresh] = numbers_.emplace(term, static_cast<uint32_t>(dictionary_.size()));
  if (fresh) {
    dictionary_.push_back(term);
    last_node_.push_back(0);
    // A quarter full. What is forgotten here is learnt again at its next place.
    if (dictionary_.size() * 4 > memory_.size() && memory_.size() < kMaxRemembered)
      memory_.assign(memory_.size() * 2, Remembered());
  }
  return place->second;
}

uint32_t TermReader::number_of(std::string_view word) {
  const uint64_t hash = XXH3_64bits(word.data(), word.size());
  const Remembered& known = memory_[hash & (memory_.size() - 1)];
  if (known.word == hash) return known.number;
  const uint32_t number = learn(word);
  memory_[hash & (memory_.size() - 1)] = {hash, number};
  return number;
}

void TermReader::read(std::string_view text, bool prominent, std::vector<Marked>& terms) {
  words_.reset(text);
  Word word;
  while (words_.next(word)) {
    const uint32_t number = number_of(word.text);
    if (number == kStopWord || last_node_[number] == node_) continue;
    last_node_[number] = node_;
    terms.push_back(Marked::of(number, prominent));
  }
}

}  // namespace knapsack::graph

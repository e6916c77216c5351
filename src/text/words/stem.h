// Stemming: the snowball stem of one word, so that "packing" and "packed" meet.
//
// Words come in lower-cased. Any thread may call: each keeps its own stemmers, created at first use.
#pragma once

#include <string_view>

namespace knapsack {

enum class Stemming {
  kNone,
  kByScript,  // Russian for words with a Cyrillic letter, English for all others
  kEnglish,
  kRussian,
  kPorter,  // the older English rules, which SQLite's porter tokenizer follows
};

// The stem of a lower-cased UTF-8 word; the word itself where the rules leave it alone. The view lasts until
// the next call on this thread, or as long as `word` does, whichever is shorter.
std::string_view stem(Stemming stemming, std::string_view word);

}  // namespace knapsack

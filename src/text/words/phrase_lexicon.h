// PhraseLexicon: whether a text holds one of a list of phrases, word for word, whatever the endings.
//
// Words are compared by their stems in the language of their script and must follow each other. Identifiers
// stay whole: the "history" of git_history.py is part of a name. Read-only after construction; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace knapsack {

struct SpokenWord {
  std::string text;  // lower-cased
  std::string stem;
};
// At most `max_bytes` of the text are read: what follows is logs and documents that somebody quotes.
std::vector<SpokenWord> spoken_words(std::string_view text, size_t max_bytes = 4096);

class PhraseLexicon {
 public:
  explicit PhraseLexicon(std::span<const std::string_view> phrases);

  // The first phrase that the words hold, as they have it; empty where they hold none.
  std::string find(std::span<const SpokenWord> words) const;
  // How many words the longest phrase takes that begins at the first of these; 0: none does.
  size_t starts(std::span<const SpokenWord> words) const;

 private:
  std::unordered_set<std::string> phrases_;  // stems with blanks between
  size_t longest_ = 0;                       // in words
};

}  // namespace knapsack

#include "text/words/phrase_lexicon.h"

#include <algorithm>

#include "text/words/stem.h"
#include "text/words/words.h"

namespace knapsack {

std::vector<SpokenWord> spoken_words(std::string_view text, size_t max_bytes) {
  WordOptions whole;
  whole.emit_parts = false;
  std::vector<SpokenWord> words;
  WordReader reader(text.substr(0, max_bytes), whole);
  for (Word word; reader.next(word);) {
    words.push_back({std::string(word.text), std::string(stem(Stemming::kByScript, word.text))});
  }
  return words;
}

PhraseLexicon::PhraseLexicon(std::span<const std::string_view> phrases) {
  for (const std::string_view phrase : phrases) {
    std::string stems;
    const auto words = spoken_words(phrase);
    for (const SpokenWord& word : words) stems += word.stem + ' ';
    longest_ = std::max(longest_, words.size());
    phrases_.insert(std::move(stems));
  }
}

size_t PhraseLexicon::starts(std::span<const SpokenWord> words) const {
  size_t found = 0;
  std::string stems;
  for (size_t length = 1; length <= std::min(longest_, words.size()); ++length) {
    stems += words[length - 1].stem + ' ';
    if (phrases_.contains(stems)) found = length;
  }
  return found;
}

std::string PhraseLexicon::find(std::span<const SpokenWord> words) const {
  for (size_t at = 0; at < words.size(); ++at) {
    const size_t length = starts(words.subspan(at));
    if (length == 0) continue;
    std::string phrase = words[at].text;
    for (size_t i = 1; i < length; ++i) phrase += ' ' + words[at + i].text;
    return phrase;
  }
  return "";
}

}  // namespace knapsack

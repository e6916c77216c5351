#include "search/query/parse_query.h"

#include <unordered_set>

#include "core/ascii.h"
#include "text/words/stop_words.h"

namespace knapsack::search {
namespace {

// A letter of any script: bytes above ASCII only begin letters that matter here.
bool begins_word(char c) {
  return ascii::is_letter(c) || c == '_' || ascii::is_above(c);
}

// Takes excluded words and phrases out of the text, notes phrases, and leaves what terms are read from.
std::string take_filters(std::string_view text, TextFilter& filter) {
  std::string rest;
  size_t at = 0;
  const auto quoted = [&](size_t quote) -> std::string_view {
    const size_t close = text.find('"', quote + 1);
    return close == std::string_view::npos ? std::string_view() : text.substr(quote, close + 1 - quote);
  };
  while (at < text.size()) {
    const bool may_exclude =
        text[at] == '-' && (at == 0 || ascii::is_space(text[at - 1])) && at + 1 < text.size();
    if (may_exclude && text[at + 1] == '"' && !quoted(at + 1).empty()) {
      const std::string_view phrase = quoted(at + 1);
      if (auto words = phrase_words(phrase); !words.empty()) filter.excluded.push_back(std::move(words));
      at += 1 + phrase.size();
    } else if (may_exclude && begins_word(text[at + 1])) {
      size_t end = at + 1;
      while (end < text.size() && !ascii::is_space(text[end])) ++end;
      if (auto words = phrase_words(text.substr(at, end - at)); !words.empty()) {
        filter.excluded.push_back(std::move(words));
      }
      at = end;
    } else if (text[at] == '"' && !quoted(at).empty()) {
      const std::string_view phrase = quoted(at);
      if (auto words = phrase_words(phrase); !words.empty()) filter.required.push_back(std::move(words));
      rest += phrase;
      at += phrase.size();
    } else {
      rest += text[at++];
    }
  }
  return rest;
}

}  // namespace

ParsedQuery parse_query(std::string_view text, const WordOptions& words, FieldMask fields) {
  ParsedQuery parsed;
  parsed.words = take_filters(text, parsed.filter);
  Query all;
  std::unordered_set<std::string> seen, kept;
  WordOptions unstemmed = words;
  unstemmed.stemming = Stemming::kNone;  // stop words are told by the word as written
  WordReader reader(parsed.words, unstemmed);
  for (Word word; reader.next(word);) {
    const bool stemmed = word.kind == WordKind::kPlain || word.kind == WordKind::kPart;
    const QueryTerm term{std::string(stemmed ? stem(words.stemming, word.text) : word.text), fields, 1,
                         std::nullopt};
    if (seen.insert(term.term).second) all.push_back(term);
    if (!is_stop_word(word.text) && kept.insert(term.term).second) parsed.terms.push_back(term);
  }
  if (parsed.terms.empty()) parsed.terms = std::move(all);
  return parsed;
}

}  // namespace knapsack::search

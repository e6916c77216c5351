#include "search/query/text_match.h"

#include <algorithm>

#include "search/query/parse_query.h"
#include "text/unicode/utf8.h"

namespace knapsack::search {
namespace {

WordOptions matched_words() {
  WordOptions options;
  options.stemming = Stemming::kByScript;
  return options;
}

bool is_blank_or_control(char c) {
  return static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
}

}  // namespace

TextMatch::TextMatch(std::string_view query) {
  for (const QueryTerm& term : parse_query(query, matched_words()).terms)
    terms_.try_emplace(term.term, terms_.size());
}

std::vector<TextMatch::Place> TextMatch::places_in(std::string_view text) const {
  std::vector<Place> places;
  const std::string_view looked_at = text.substr(0, kMaxMatchedBytes);
  WordReader reader(looked_at, matched_words());
  size_t last_begin = std::string_view::npos;
  size_t number = 0;
  for (Word word; reader.next(word);) {
    // The parts of an identifier and the whole of it stand in one place.
    if (word.kind == WordKind::kPlain || word.kind == WordKind::kPair || word.begin != last_begin) ++number;
    last_begin = word.begin;
    const auto term = terms_.find(std::string(word.text));
    if (term != terms_.end()) places.push_back({term->second, number, word.begin, word.end});
  }
  return places;
}

MatchedText TextMatch::measure(std::string_view title, std::string_view text) const {
  MatchedText matched;
  if (terms_.empty()) return matched;
  const auto all = static_cast<double>(terms_.size());
  std::vector<bool> held(terms_.size()), in_title(terms_.size());
  for (const Place& place : places_in(title)) held[place.term] = in_title[place.term] = true;
  const std::vector<Place> places = places_in(text);
  std::vector<size_t> inside(terms_.size());
  size_t present = 0;
  for (const Place& place : places) {
    if (inside[place.term]++ == 0) ++present;
    held[place.term] = true;
  }
  matched.coverage = static_cast<double>(std::count(held.begin(), held.end(), true)) / all;
  matched.title = static_cast<double>(std::count(in_title.begin(), in_title.end(), true)) / all;
  // The shortest stretch that holds each word which the text holds at all: its end goes forward word by word,
  // its beginning follows as long as nothing is lost.
  std::fill(inside.begin(), inside.end(), 0);
  size_t first = 0, distinct = 0, shortest = SIZE_MAX;
  for (const Place& last : places) {
    if (inside[last.term]++ == 0) ++distinct;
    for (; distinct == present && inside[places[first].term] > 1; ++first) --inside[places[first].term];
    const size_t length = last.word - places[first].word + 1;
    if (distinct < present || length >= shortest) continue;
    shortest = length;
    matched.begin = places[first].begin;
    matched.end = last.end;
  }
  // One word is close to itself, which says nothing.
  if (present > 1) {
    matched.proximity = std::min(1.0, static_cast<double>(present) / static_cast<double>(shortest)) *
                        static_cast<double>(present) / all;
  }
  return matched;
}

void rerank_score(Score& score, const MatchedText& matched) {
  const double before = score.total;
  const std::pair<const char*, double> parts[] = {{"words held", kCoverageShare * matched.coverage},
                                                  {"words close", kProximityShare * matched.proximity},
                                                  {"words in title", kTitleShare * matched.title}};
  for (const auto& [name, share] : parts) {
    if (share <= 0) continue;
    score.components.push_back({name, before * share});
    score.total += before * share;
  }
}

std::string excerpt(std::string_view text, const MatchedText& matched, size_t characters) {
  // A little of what leads up to the group, from the beginning of a word on.
  const size_t lead = characters / 4;
  size_t begin = matched.end - matched.begin >= characters ? matched.begin
                 : matched.begin > lead                    ? matched.begin - lead
                                                           : 0;
  while (begin > 0 && begin < matched.begin && !is_blank_or_control(text[begin - 1])) ++begin;
  std::string line = begin > 0 ? "…" : "";
  size_t shown = 0;
  size_t at = begin;
  bool blank = true;  // none at the beginning
  for (; at < text.size(); ++at) {
    if (is_blank_or_control(text[at])) {
      if (!blank) {
        line += ' ';
        ++shown;
      }
      blank = true;
      continue;
    }
    if (!continues_code_point(text[at]) && ++shown > characters) break;
    line += text[at];
    blank = false;
  }
  while (line.ends_with(' ')) line.pop_back();
  if (at < text.size()) line += "…";
  return replace_invalid_utf8(line);
}

}  // namespace knapsack::search

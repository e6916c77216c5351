#include "memory/recall_query.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "memory/documents.h"
#include "text/irregular_forms.h"
#include "text/related_words.h"
#include "text/stem.h"
#include "text/stop_words.h"

namespace knapsack::memory {
namespace {

bool asks_when(const std::vector<MemoryWord>& words) {
  static const std::unordered_set<std::string_view> asked = {"month", "year", "date", "месяц", "месяце",
                                                             "год",   "году", "года", "дата",  "дату"};
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i].written;
    if (i == 0 && (word == "when" || word == "когда")) return true;
    if (i < 2 && (word == "long" || word == "долго")) return true;
    if (asked.contains(word)) return true;
  }
  return false;
}

search::TermForms forms_of(const MemoryWord& word, bool irregular) {
  search::TermForms forms = {word.indexed};
  if (irregular) {
    for (const std::string_view form : irregular_forms(word.written)) {
      forms.emplace_back(stem(memory_words().stemming, form));
    }
  }
  std::sort(forms.begin(), forms.end());
  forms.erase(std::unique(forms.begin(), forms.end()), forms.end());
  return forms;
}

std::vector<search::SequenceTerm> related_terms(const std::vector<MemoryWord>& words,
                                                const std::unordered_set<std::string>& stems, double weight) {
  std::map<std::string, double> weights;
  for (const MemoryWord& word : words) {
    if (!stems.contains(word.indexed)) continue;
    const auto related = related_words(word.written);
    for (const std::string_view other : related) {
      std::string stemmed(stem(memory_words().stemming, other));
      if (stems.contains(stemmed) || is_filler_word(other)) continue;
      double& known = weights[std::move(stemmed)];
      known = std::max(known, weight / std::sqrt(static_cast<double>(related.size())));
    }
  }
  std::vector<search::SequenceTerm> terms;
  for (auto& [stemmed, value] : weights) terms.push_back({{stemmed}, value});
  return terms;
}

}  // namespace

std::optional<size_t> Speakers::add(std::string_view name) {
  std::vector<std::string> words = words_of(name);
  if (words.empty()) return std::nullopt;
  std::string whole;
  for (const std::string& word : words) whole += word + ' ';
  const auto known = std::find(names_.begin(), names_.end(), whole);
  if (known != names_.end()) return static_cast<size_t>(known - names_.begin());
  names_.push_back(std::move(whole));
  first_words_.push_back(words.front());
  words_.insert(words.begin(), words.end());
  return names_.size() - 1;
}

std::vector<size_t> Speakers::named_in(const std::unordered_set<std::string>& words) const {
  std::vector<size_t> named;
  for (size_t i = 0; i < names_.size(); ++i) {
    if (words.contains(first_words_[i])) named.push_back(i);
  }
  return named;
}

bool is_filler_word(std::string_view word) {
  static const std::unordered_set<std::string_view> english = {
      "a",     "an",    "the",   "of",     "to",   "in",    "on",    "at",    "for",   "and",    "or",
      "is",    "are",   "was",   "were",   "be",   "been",  "do",    "does",  "did",   "have",   "has",
      "had",   "what",  "when",  "where",  "who",  "whom",  "which", "why",   "how",   "s",      "t",
      "her",   "his",   "their", "its",    "it",   "he",    "she",   "they",  "i",     "you",    "we",
      "me",    "my",    "your",  "our",    "this", "that",  "these", "those", "with",  "from",   "by",
      "as",    "about", "into",  "than",   "then", "so",    "if",    "not",   "no",    "but",    "would",
      "could", "can",   "will",  "should", "may",  "might", "more",  "most",  "after", "before", "during"};
  const bool ascii =
      std::all_of(word.begin(), word.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
  return ascii ? english.contains(word) : is_stop_word(word);
}

bool is_question(std::string_view text) {
  return text.substr(text.size() / 2).find('?') != std::string_view::npos;
}

bool is_time_word(std::string_view word) {
  static const std::unordered_set<std::string_view> words = {
      "yesterday", "today",      "tonight", "tomorrow",    "ago",      "last",      "next",     "week",
      "weekend",   "month",      "year",    "monday",      "tuesday",  "wednesday", "thursday", "friday",
      "saturday",  "sunday",     "january", "february",    "march",    "april",     "june",     "july",
      "august",    "september",  "october", "november",    "december", "recently",  "morning",  "вчера",
      "сегодня",   "завтра",     "назад",   "прошлый",     "прошлой",  "прошлом",   "прошлую",  "следующий",
      "неделя",    "неделе",     "неделю",  "выходные",    "выходных", "месяц",     "год",      "году",
      "утром",     "вечером",    "недавно", "понедельник", "вторник",  "среду",     "четверг",  "пятницу",
      "субботу",   "воскресенье"};
  return words.contains(word);
}

RecallQuery read_recall_query(std::string_view question, const Speakers& speakers, std::span<const int> years,
                              const RecallQueryOptions& options) {
  RecallQuery query;
  FoundDates dates;
  if (options.dates) dates = find_dates(question, years);
  query.dates = dates.ranges;
  const std::vector<MemoryWord> words = read_memory_words(question);
  query.asks_when = asks_when(words);

  std::unordered_set<std::string> written;
  for (const MemoryWord& word : words) written.insert(word.written);
  const auto named = speakers.named_in(written);
  if (named.size() == 1) query.speaker = named.front();

  const auto add = [&](const MemoryWord& word, bool irregular) {
    search::TermForms forms = forms_of(word, irregular);
    if (std::any_of(forms.begin(), forms.end(), [&](const auto& form) { return query.stems.contains(form); }))
      return;
    query.stems.insert(forms.begin(), forms.end());
    query.terms.push_back({std::move(forms), 1});
  };
  for (const MemoryWord& word : words) {
    if (is_filler_word(word.written) || dates.covers(word.begin, word.end)) continue;
    if (options.drop_names && speakers.is_name(word.written)) continue;
    add(word, options.irregular_forms);
  }
  if (options.related_words) query.related = related_terms(words, query.stems, options.related_weight);
  // A question of nothing but names and stop words still has to be searched by something.
  if (query.terms.empty()) {
    for (const MemoryWord& word : words) {
      if (!dates.covers(word.begin, word.end)) add(word, false);
    }
  }
  return query;
}

}  // namespace knapsack::memory

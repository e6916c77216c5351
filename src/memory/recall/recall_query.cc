#include "memory/recall/recall_query.h"

#include <algorithm>

#include "memory/tree/documents.h"
#include "memory/tree/infer.h"
#include "text/words/irregular_forms.h"
#include "text/words/lexicon.h"
#include "text/words/stem.h"
#include "text/words/stop_words.h"

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

constexpr double kAttributeWeight = 0.5;
constexpr double kNameWeight = 2;

// Words that say what is asked of a subject and name none.
const Lexicon& attribute_words() {
  static const Lexicon lexicon(
      "attribute: own owner ownership responsible use need keep work run make take get want know help answer "
      "say tell show explain write find give let try way thing kind happen history timeline sequence order "
      "long many much old new now still ever any some every call go ok good please around "
      "отвечает ответственный владелец владеет делать делает работать работает использовать используем "
      "нужно нужен нужна можно надо стоит сколько какой какая какие какое каком история произошло случилось "
      "порядок новый старый пожалуйста настроить\n");
  return lexicon;
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

std::vector<std::string> derived_stems(std::string_view word) {
  static const Lexicon families(
      "own: own owner ownership\n"
      "decide: decide decision\n"
      "lead: lead leader\n"
      "maintain: maintain maintainer\n"
      "отвечает: отвечает отвечать отвечают ответственный ответственная\n"
      "владеет: владеет владеть владелец\n");
  static constexpr std::string_view kForms[][6] = {{"own", "owner", "ownership"},
                                                   {"decide", "decision"},
                                                   {"lead", "leader"},
                                                   {"maintain", "maintainer"},
                                                   {"отвечает", "отвечать", "ответственный", "ответственная"},
                                                   {"владеет", "владеть", "владелец"}};
  std::vector<std::string> stems;
  for (const size_t row : families.find(word)) {
    for (const std::string_view form : kForms[row]) {
      if (!form.empty()) stems.emplace_back(stem(memory_words().stemming, form));
    }
  }
  return stems;
}

double asked_weight(std::string_view question, std::string_view word, size_t begin) {
  if (attribute_words().holds(word, "attribute")) return kAttributeWeight;
  const std::string_view before = question.substr(0, std::min(begin, question.size()));
  const size_t last = before.find_last_not_of(" \t\n\"'«(*`");
  const bool inside =
      last != std::string_view::npos && std::string_view(".!?:").find(before[last]) == std::string_view::npos;
  return inside && is_capitalised(question.substr(before.size())) ? kNameWeight : 1;
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
    search::TermForms said = forms;
    for (std::string& derived : derived_stems(word.written)) said.push_back(std::move(derived));
    std::sort(said.begin(), said.end());
    said.erase(std::unique(said.begin(), said.end()), said.end());
    query.asked.push_back({std::move(said), asked_weight(question, word.written, word.begin)});
    query.terms.push_back({std::move(forms), 1});
  };
  for (const MemoryWord& word : words) {
    if (is_filler_word(word.written) || dates.covers(word.begin, word.end)) continue;
    if (options.drop_names && speakers.is_name(word.written)) continue;
    add(word, options.irregular_forms);
  }
  // A question of nothing but names and stop words still has to be searched by something.
  if (query.terms.empty()) {
    for (const MemoryWord& word : words) {
      if (!dates.covers(word.begin, word.end)) add(word, false);
    }
  }
  return query;
}

}  // namespace knapsack::memory

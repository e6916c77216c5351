#include "understand/task_keywords.h"

#include <algorithm>

#include "core/ascii.h"
#include "text/unicode/utf8.h"
#include "text/words/lexicon.h"
#include "text/words/stem.h"
#include "text/words/stop_words.h"
#include "text/words/words.h"

namespace knapsack {
namespace {

// Far more than an issue has; logs are cut here.
constexpr size_t kMaxWords = 50'000;
constexpr size_t kMinCharacters = 2;

constexpr std::string_view kTaskWords = R"(
said in every task: add fix implement make use need want try get got see think seem please thanks thank hi hello issue bug problem task feature request expected actual behavior behaviour step reproduce describe description version example following instead new now work like way thing something anything nothing however etc eg ie one two first second lot maybe able happen currently still result correctly правильно добавить исправить сделать реализовать нужно надо необходимо пожалуйста спасибо привет задача проблема баг ошибка пример сейчас работает работать хочу хочется чтоб
)";

bool has_letter(std::string_view word) {
  return std::any_of(word.begin(), word.end(),
                     [](char c) { return ascii::is_letter(c) || ascii::is_above(c); });
}

}  // namespace

bool is_task_stop_word(std::string_view word) {
  static const Lexicon said(kTaskWords);
  return is_stop_word(word) || !said.find(word).empty();
}

void KeywordCounter::add(std::string_view text, bool title) {
  WordOptions options;
  options.emit_whole = false;
  WordReader reader(text, options);
  for (Word word; words_.size() < kMaxWords && reader.next(word);) {
    words_.emplace_back(word.text);
    if (count_code_points(word.text) < kMinCharacters || !has_letter(word.text)) continue;
    if (is_task_stop_word(word.text)) continue;
    Count& count = counts_[std::string(stem(Stemming::kByScript, word.text))];
    if (count.count == 0) {
      count.shown = word.text;
      count.first = words_.size();
    }
    ++count.count;
    count.title = count.title || title;
  }
}

void KeywordCounter::add_words(std::string_view text) {
  WordReader reader(text);
  for (Word word; words_.size() < kMaxWords && reader.next(word);) words_.emplace_back(word.text);
}

std::vector<std::string> KeywordCounter::take() {
  std::vector<const Count*> order;
  order.reserve(counts_.size());
  for (const auto& [unused, count] : counts_) order.push_back(&count);
  std::sort(order.begin(), order.end(), [](const Count* a, const Count* b) {
    if (a->title != b->title) return a->title;
    if (a->count != b->count) return a->count > b->count;
    return a->first < b->first;
  });
  if (order.size() > kMaxKeywords) order.resize(kMaxKeywords);
  std::vector<std::string> keywords;
  keywords.reserve(order.size());
  for (const Count* count : order) keywords.push_back(count->shown);
  return keywords;
}

}  // namespace knapsack

#include "understand/intent.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>
#include <utility>

#include "text/words/stem.h"
#include "text/words/stop_words.h"
#include "text/words/words.h"

namespace knapsack {
namespace {

constexpr std::array<TaskIntent, 5> kIntents = {TaskIntent::kDebug, TaskIntent::kPlan, TaskIntent::kResearch,
                                                TaskIntent::kExecute, TaskIntent::kExplain};
// Beyond this a request quotes logs and documents, whose words say nothing about what is wanted.
constexpr size_t kMaxReadBytes = 4096;

struct IntentWord {
  std::string text;
  std::string stem;
  bool after_article = false;  // so it is no verb
};

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Identifiers stay whole: the "fix" of fix_imports is part of a name. Articles go, so that "make a plan" is
// two words that follow each other.
std::vector<IntentWord> read_words(std::string_view text) {
  WordOptions options;
  options.emit_parts = false;
  WordReader reader(text.substr(0, kMaxReadBytes), options);
  std::vector<IntentWord> words;
  Word word;
  bool after_article = false;
  constexpr std::string_view kArticles[] = {"a", "an", "the"};
  while (reader.next(word)) {
    if (is_one_of(word.text, kArticles)) {
      after_article = true;
      continue;
    }
    words.push_back({std::string(word.text), std::string(stem(Stemming::kByScript, word.text)),
                     std::exchange(after_article, false)});
  }
  return words;
}

// From a stem, or two with a space between, to the intents it speaks for (a bit each).
using IntentLexicon = std::unordered_map<std::string, unsigned>;

const IntentLexicon& lexicon() {
  static const IntentLexicon all = [] {
    IntentLexicon made;
    for (size_t i = 0; i < kIntents.size(); ++i) {
      for (const std::string_view entry : intent_lexicon(kIntents[i])) {
        std::string key;
        for (const IntentWord& word : read_words(entry)) key += (key.empty() ? "" : " ") + word.stem;
        made[key] |= 1U << i;
      }
    }
    return made;
  }();
  return all;
}

struct Hit {
  std::string words;
  unsigned intents = 0;
};

// The entry that begins at a word: two words before one, since they say more.
Hit hit_at(const std::vector<IntentWord>& words, size_t at) {
  if (at + 1 < words.size()) {
    const auto pair = lexicon().find(words[at].stem + " " + words[at + 1].stem);
    if (pair != lexicon().end()) return {words[at].text + " " + words[at + 1].text, pair->second};
  }
  const auto single = lexicon().find(words[at].stem);
  return single == lexicon().end() ? Hit{} : Hit{words[at].text, single->second};
}

// Where an order would have its verb: after "please", "could you", "let's"…
size_t opening_word(const std::vector<IntentWord>& words) {
  static constexpr std::string_view kPolite[] = {
      "please", "could",      "can",     "you",    "would", "let",   "s",     "us",  "i",
      "we",     "need",       "want",    "to",     "давай", "нужно", "надо",  "мне", "нам",
      "хочу",   "пожалуйста", "давайте", "можешь", "прошу", "must",  "should"};
  size_t at = 0;
  while (at < words.size() && is_one_of(words[at].text, kPolite)) ++at;
  return at;
}

bool is_question_word(std::string_view word) {
  return is_stop_word(word.substr(0, word.find(' ')));
}

// What is to be found or made says more than the verb: "find the leak", "make a comparison".
bool is_light_verb(std::string_view word) {
  constexpr std::string_view kLight[] = {"find",   "make",    "найди",  "найти",
                                         "сделай", "сделать", "собери", "собрать"};
  return is_one_of(word, kLight);
}

// "When was it introduced?" asks; nobody gives an order like that.
bool is_question(const std::vector<IntentWord>& words, size_t opening) {
  if (opening >= words.size()) return false;
  const Hit hit = hit_at(words, opening);
  const auto explain = static_cast<size_t>(std::find(kIntents.begin(), kIntents.end(), TaskIntent::kExplain) -
                                           kIntents.begin());
  return (hit.intents >> explain & 1U) != 0 && is_question_word(hit.words);
}

}  // namespace

std::string_view to_string(TaskIntent intent) {
  constexpr std::array<std::string_view, 5> kNames = {"debug", "plan", "research", "execute", "explain"};
  return kNames[static_cast<size_t>(intent)];
}

std::optional<TaskIntent> parse_intent(std::string_view name) {
  for (const TaskIntent intent : kIntents) {
    if (to_string(intent) == name) return intent;
  }
  return std::nullopt;
}

IntentChoice given_intent(TaskIntent intent) {
  return {intent, {}, "given with the request"};
}

IntentChoice classify_intent(std::string_view request) {
  const auto words = read_words(request);
  const size_t opening = opening_word(words);
  const bool asks = is_question(words, opening);
  std::array<int, kIntents.size()> counts{};
  std::array<std::vector<std::string>, kIntents.size()> found;
  for (size_t at = 0; at < words.size(); ++at) {
    const Hit hit = hit_at(words, at);
    if (hit.intents == 0) continue;
    for (size_t i = 0; i < kIntents.size(); ++i) {
      if ((hit.intents >> i & 1U) == 0) continue;
      // "do" is an order only where one has its verb; elsewhere it helps other verbs.
      if (at != opening && kIntents[i] != TaskIntent::kExplain && is_stop_word(hit.words)) continue;
      if (asks && kIntents[i] == TaskIntent::kExecute) continue;
      // A question word opens questions of every kind ("why does it crash"), so it counts once.
      const bool orders = at == opening && !words[at].after_article && !is_question_word(hit.words) &&
                          !is_light_verb(hit.words);
      counts[i] += orders ? 2 : 1;
      if (std::find(found[i].begin(), found[i].end(), hit.words) == found[i].end())
        found[i].push_back(hit.words);
    }
    if (hit.words.find(' ') != std::string::npos) ++at;
  }
  const auto best = static_cast<size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
  if (counts[best] == 0)
    return {TaskIntent::kExplain, {}, "no word of the request speaks for another intent"};
  IntentChoice choice;
  choice.intent = kIntents[best];
  choice.words = found[best];
  choice.reason = fmt::format("by the words: {}", fmt::join(choice.words, ", "));
  const bool tied = std::count(counts.begin(), counts.end(), counts[best]) > 1;
  if (tied) choice.reason += fmt::format("; {} goes before others on a tie", to_string(choice.intent));
  return choice;
}

}  // namespace knapsack

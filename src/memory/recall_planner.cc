#include "memory/recall_planner.h"

#include <algorithm>
#include <array>

#include "text/markdown_lines.h"
#include "text/phrase_lexicon.h"
#include "text/utf8.h"

namespace knapsack::memory {
namespace {

// Single words only where they can hardly mean anything else: "history" alone may be a button, a browser's or
// git's, so it takes company.
constexpr std::string_view kTimeline[] = {"timeline",
                                          "chronology",
                                          "chronological",
                                          "chronologically",
                                          "what happened",
                                          "what has happened",
                                          "what was happening",
                                          "happened next",
                                          "happened before",
                                          "happened after",
                                          "happened since",
                                          "happened between",
                                          "happened first",
                                          "how did we get here",
                                          "how did we end up",
                                          "how did it come",
                                          "how did it start",
                                          "history of",
                                          "history behind",
                                          "our history",
                                          "full history",
                                          "whole history",
                                          "project history",
                                          "history so far",
                                          "story so far",
                                          "sequence of events",
                                          "order of events",
                                          "course of events",
                                          "chain of events",
                                          "series of events",
                                          "events leading",
                                          "led to",
                                          "leading up to",
                                          "lead up to",
                                          "root cause",
                                          "cause and effect",
                                          "causal chain",
                                          "what caused",
                                          "who caused",
                                          "caused by",
                                          "in what order",
                                          "in which order",
                                          "evolution of",
                                          "evolved over",
                                          "over time",
                                          "progression of",
                                          "step by step what",
                                          "since when",
                                          "day by day",
                                          "week by week",
                                          "month by month",
                                          "retrospective",
                                          "postmortem",
                                          "post mortem",
                                          "хронология",
                                          "хронологический",
                                          "таймлайн",
                                          "хроника",
                                          "что произошло",
                                          "что происходило",
                                          "что случилось",
                                          "что было дальше",
                                          "как мы пришли",
                                          "как мы дошли",
                                          "как так получилось",
                                          "как все начиналось",
                                          "как всё начиналось",
                                          "с чего все началось",
                                          "с чего всё началось",
                                          "история проекта",
                                          "история решения",
                                          "история изменений",
                                          "история вопроса",
                                          "история развития",
                                          "история этого",
                                          "всю историю",
                                          "вся история",
                                          "нашу историю",
                                          "расскажи историю",
                                          "предыстория",
                                          "последовательность событий",
                                          "порядок событий",
                                          "ход событий",
                                          "цепочка событий",
                                          "цепь событий",
                                          "привело к",
                                          "привела к",
                                          "привели к",
                                          "первопричина",
                                          "корневая причина",
                                          "причинно следственный",
                                          "в каком порядке",
                                          "в какой последовательности",
                                          "с течением времени",
                                          "со временем менялось",
                                          "по дням",
                                          "по неделям",
                                          "ретроспектива",
                                          "постмортем"};

// What an acknowledgement may be made of, whole words each.
constexpr std::string_view kAcknowledgement[] = {"ok",           "okay",      "k",         "kk",
                                                 "thanks",       "thank",     "thx",       "ty",
                                                 "tysm",         "cheers",    "you",       "u",
                                                 "so",           "much",      "very",      "a",
                                                 "lot",          "cool",      "nice",      "great",
                                                 "perfect",      "awesome",   "excellent", "amazing",
                                                 "good",         "well",      "job",       "work",
                                                 "fine",         "sure",      "yes",       "yep",
                                                 "yeah",         "yup",       "ya",        "no",
                                                 "nope",         "nah",       "done",      "got",
                                                 "it",           "that",      "s",         "this",
                                                 "understood",   "alright",   "all",       "right",
                                                 "correct",      "exactly",   "true",      "lgtm",
                                                 "sounds",       "looks",     "agreed",    "noted",
                                                 "roger",        "copy",      "ack",       "np",
                                                 "problem",      "worries",   "wow",       "ha",
                                                 "haha",         "lol",       "hi",        "hello",
                                                 "hey",          "bye",       "goodbye",   "night",
                                                 "morning",      "love",      "brilliant", "super",
                                                 "and",          "go",        "ahead",     "please",
                                                 "welcome",      "ок",        "окей",      "спасибо",
                                                 "спс",          "благодарю", "большое",   "да",
                                                 "нет",          "не",        "ага",       "угу",
                                                 "хорошо",       "понял",     "поняла",    "понятно",
                                                 "ясно",         "отлично",   "супер",     "класс",
                                                 "классно",      "круто",     "принято",   "договорились",
                                                 "пожалуйста",   "готово",    "привет",    "здравствуй",
                                                 "здравствуйте", "пока",      "ладно",     "годится",
                                                 "верно",        "точно",     "именно",    "прекрасно",
                                                 "замечательно", "молодец",   "все",       "всё",
                                                 "это",          "так",       "очень",     "ну",
                                                 "здорово",      "конечно",   "давай"};
// Of these alone no acknowledgement is made.
constexpr std::string_view kAcknowledgementFiller[] = {
    "you", "u",  "so",     "much", "very", "a",   "lot", "job", "work",  "it", "that",  "s",      "this",
    "and", "go", "please", "не",   "это",  "так", "все", "всё", "очень", "ну", "давай", "большое"};

constexpr std::string_view kMemoryWords[] = {"remember",
                                             "recall",
                                             "remind",
                                             "memory",
                                             "memories",
                                             "forget",
                                             "forgot",
                                             "forgotten",
                                             "previously",
                                             "last time",
                                             "earlier",
                                             "before we",
                                             "we decided",
                                             "we agreed",
                                             "we discussed",
                                             "we talked",
                                             "we settled",
                                             "i told you",
                                             "told you",
                                             "i said",
                                             "i mentioned",
                                             "you said",
                                             "you told",
                                             "you know about",
                                             "do you know",
                                             "prefer",
                                             "preference",
                                             "my name",
                                             "my favorite",
                                             "my favourite",
                                             "my usual",
                                             "as usual",
                                             "as before",
                                             "like before",
                                             "as always",
                                             "like last",
                                             "our convention",
                                             "our rule",
                                             "our decision",
                                             "our agreement",
                                             "my rule",
                                             "my setup",
                                             "my config",
                                             "помнить",
                                             "помнишь",
                                             "помни",
                                             "вспомни",
                                             "вспомнить",
                                             "напомни",
                                             "напомнить",
                                             "запомни",
                                             "память",
                                             "забыл",
                                             "забыла",
                                             "забудь",
                                             "забыть",
                                             "в прошлый раз",
                                             "раньше",
                                             "ранее",
                                             "мы решили",
                                             "мы решали",
                                             "мы договорились",
                                             "мы договаривались",
                                             "мы обсуждали",
                                             "мы говорили",
                                             "я говорил",
                                             "я говорила",
                                             "я упоминал",
                                             "ты говорил",
                                             "ты знаешь",
                                             "предпочитаю",
                                             "предпочтение",
                                             "предпочтения",
                                             "меня зовут",
                                             "мой любимый",
                                             "моя любимая",
                                             "как обычно",
                                             "как раньше",
                                             "как всегда",
                                             "как в прошлый",
                                             "наше решение",
                                             "наше правило",
                                             "наша договоренность",
                                             "наша договорённость"};

// Questions as they are asked; "which" and "какой" begin nothing else.
constexpr std::string_view kQuestionWords[] = {
    "what",  "when",   "where",   "who",   "whom",   "whose", "which", "why",   "how",   "is",
    "are",   "was",    "were",    "do",    "does",   "did",   "has",   "have",  "had",   "can",
    "could", "should", "would",   "will",  "что",    "когда", "где",   "кто",   "кого",  "кому",
    "чей",   "чья",    "чьё",     "какой", "какая",  "какое", "какие", "какую", "каким", "почему",
    "зачем", "как",    "сколько", "куда",  "откуда", "чем",   "ли"};

constexpr std::string_view kOperations[] = {
    "run",         "rerun",    "build",       "rebuild",    "test",         "retest",      "commit",
    "push",        "pull",     "fetch",       "checkout",   "clone",        "deploy",      "redeploy",
    "restart",     "start",    "stop",        "kill",       "open",         "close",       "delete",
    "remove",      "rename",   "format",      "reformat",   "lint",         "install",     "uninstall",
    "update",      "upgrade",  "downgrade",   "merge",      "rebase",       "revert",      "undo",
    "redo",        "continue", "retry",       "execute",    "apply",        "list",        "show",
    "print",       "check",    "fix",         "add",        "create",       "make",        "move",
    "copy",        "paste",    "clean",       "compile",    "release",      "publish",     "save",
    "sync",        "proceed",  "next",        "bump",       "generate",     "regenerate",  "refactor",
    "write",       "set",      "enable",      "disable",    "insert",       "replace",     "sort",
    "tag",         "stash",    "cd",          "ls",         "git",          "npm",         "make",
    "cargo",       "запусти",  "перезапусти", "собери",     "пересобери",   "протестируй", "закоммить",
    "закоммити",   "запушь",   "запуши",      "разверни",   "задеплой",     "останови",    "начни",
    "открой",      "закрой",   "удали",       "переименуй", "отформатируй", "установи",    "обнови",
    "слей",        "откати",   "верни",       "отмени",     "продолжай",    "продолжи",    "повтори",
    "выполни",     "примени",  "покажи",      "выведи",     "проверь",      "исправь",     "почини",
    "добавь",      "создай",   "сделай",      "перемести",  "скопируй",     "почисти",     "очисти",
    "скомпилируй", "выпусти",  "опубликуй",   "сохрани",    "дальше",       "сгенерируй",  "напиши",
    "включи",      "отключи",  "выключи",     "замени",     "вставь"};

// What may stand before the verb of a command.
constexpr std::string_view kBeforeVerb[] = {"please", "now",        "then",  "and",    "ok",      "okay",
                                            "just",   "let",        "s",     "also",   "so",      "go",
                                            "ahead",  "quickly",    "ок",    "теперь", "а",       "и",
                                            "ну",     "пожалуйста", "давай", "тогда",  "сначала", "просто"};

template <size_t N>
bool is_in(const std::string_view (&list)[N], std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

bool is_acknowledgement(std::span<const SpokenWord> words) {
  const bool made_of = std::all_of(words.begin(), words.end(),
                                   [](const SpokenWord& word) { return is_in(kAcknowledgement, word.text); });
  const bool says_it = words.empty() || std::any_of(words.begin(), words.end(), [](const SpokenWord& word) {
                         return !is_in(kAcknowledgementFiller, word.text);
                       });
  const bool go_ahead = words.size() >= 2 && words[0].text == "go" && words[1].text == "ahead";
  return made_of && (says_it || go_ahead);
}

// The verb of a command, behind what politeness puts before it; empty where there is none.
std::string_view operation(std::span<const SpokenWord> words) {
  for (const SpokenWord& word : words) {
    if (is_in(kOperations, word.text)) return word.text;
    if (!is_in(kBeforeVerb, word.text)) break;
  }
  return {};
}

}  // namespace

std::string_view to_string(RecallMode mode) {
  constexpr std::array<std::string_view, 4> kNames = {"no_recall", "minimal", "full", "graph_mode"};
  return kNames[static_cast<size_t>(mode)];
}

std::optional<RecallMode> parse_recall_mode(std::string_view name) {
  for (const RecallMode mode :
       {RecallMode::kNone, RecallMode::kMinimal, RecallMode::kFull, RecallMode::kGraph}) {
    if (to_string(mode) == name) return mode;
  }
  return std::nullopt;
}

RecallPlan plan_recall(std::string_view prompt) {
  static const PhraseLexicon timeline(kTimeline);
  static const PhraseLexicon memory_words(kMemoryWords);
  const std::string_view text = trim(prompt);
  if (text.empty()) return {RecallMode::kNone, "empty", ""};
  const auto words = spoken_words(text);
  const size_t characters = count_code_points(text);
  if (std::string found = timeline.find(words); !found.empty())
    return {RecallMode::kGraph, "timeline", std::move(found)};
  const bool asks = text.ends_with('?');
  if (!asks && characters <= kLongestAcknowledgement && is_acknowledgement(words))
    return {RecallMode::kNone, "acknowledgement", std::string(text)};
  if (std::string found = memory_words.find(words); !found.empty())
    return {RecallMode::kFull, "memory", std::move(found)};
  if (asks) return {RecallMode::kFull, "question", "?"};
  if (!words.empty() && is_in(kQuestionWords, words.front().text))
    return {RecallMode::kFull, "question", words.front().text};
  if (characters <= kLongestOperation) {
    if (const std::string_view verb = operation(words); !verb.empty())
      return {RecallMode::kMinimal, "operation", std::string(verb)};
  }
  return {RecallMode::kFull, "default", ""};
}

}  // namespace knapsack::memory

#include "text/words/stop_words.h"

#include <unordered_set>

namespace knapsack {
namespace {

// Articles, pronouns, prepositions, conjunctions, auxiliaries, and what a tokenizer leaves of contractions
// ("don't" becomes "don" and "t"). No verbs or nouns of content: "use" or "work" may be what a task is about.
constexpr std::string_view kEnglish[] = {
    "a",         "about",   "above",    "after",      "again",  "against", "all",        "also",  "although",
    "am",        "among",   "an",       "and",        "any",    "are",     "aren",       "as",    "at",
    "be",        "because", "been",     "before",     "being",  "below",   "between",    "both",  "but",
    "by",        "can",     "cannot",   "could",      "couldn", "d",       "did",        "didn",  "do",
    "does",      "doesn",   "doing",    "don",        "done",   "down",    "during",     "each",  "either",
    "else",      "ever",    "every",    "few",        "for",    "from",    "further",    "had",   "hadn",
    "has",       "hasn",    "have",     "haven",      "having", "he",      "her",        "here",  "hers",
    "herself",   "him",     "himself",  "his",        "how",    "however", "i",          "if",    "in",
    "into",      "is",      "isn",      "it",         "its",    "itself",  "just",       "ll",    "m",
    "many",      "may",     "me",       "might",      "more",   "most",    "much",       "must",  "mustn",
    "my",        "myself",  "neither",  "no",         "nor",    "not",     "of",         "off",   "on",
    "once",      "only",    "onto",     "or",         "other",  "ought",   "our",        "ours",  "ourselves",
    "out",       "over",    "own",      "per",        "please", "rather",  "re",         "s",     "same",
    "shall",     "she",     "should",   "shouldn",    "since",  "so",      "some",       "such",  "t",
    "than",      "that",    "the",      "their",      "theirs", "them",    "themselves", "then",  "there",
    "therefore", "these",   "they",     "this",       "those",  "though",  "through",    "thus",  "to",
    "too",       "toward",  "towards",  "under",      "until",  "up",      "upon",       "us",    "ve",
    "very",      "via",     "was",      "wasn",       "we",     "were",    "weren",      "what",  "whatever",
    "when",      "where",   "whether",  "which",      "while",  "who",     "whom",       "whose", "why",
    "will",      "with",    "within",   "without",    "won",    "would",   "wouldn",     "yet",   "you",
    "your",      "yours",   "yourself", "yourselves",
};

constexpr std::string_view kRussian[] = {
    "а",       "без",     "более",   "больше",  "будем",   "будет",    "будут",   "будто",   "будь",
    "бы",      "был",     "была",    "были",    "было",    "быть",     "в",       "вам",     "вами",
    "вас",     "ваш",     "ваша",    "ваше",    "ваши",    "вдоль",    "ведь",    "весь",    "во",
    "вот",     "впрочем", "все",     "всё",     "всего",   "всей",     "всем",    "всех",    "всю",
    "вся",     "вы",      "где",     "да",      "даже",    "для",      "до",      "его",     "ее",
    "её",      "ей",      "ему",     "если",    "есть",    "еще",      "ещё",     "ею",      "же",
    "за",      "зачем",   "здесь",   "и",       "из",      "изза",     "или",     "им",      "ими",
    "их",      "к",       "каждая",  "каждое",  "каждый",  "как",      "какая",   "какие",   "какой",
    "когда",   "кого",    "ком",     "кому",    "которая", "которого", "которое", "которой", "котором",
    "которую", "которые", "который", "которых", "кроме",   "кто",      "куда",    "ли",      "либо",
    "лишь",    "между",   "меня",    "мне",     "мной",    "мог",      "могут",   "мое",     "моё",
    "может",   "можно",   "мои",     "мой",     "моя",     "мы",       "на",      "над",     "надо",
    "нам",     "нами",    "нас",     "наш",     "наша",    "наше",     "наши",    "не",      "него",
    "нее",     "неё",     "ней",     "нем",     "нём",     "нему",     "нет",     "нею",     "ни",
    "нибудь",  "ним",     "ними",    "них",     "но",      "ну",       "о",       "об",      "однако",
    "он",      "она",     "они",     "оно",     "от",      "очень",    "по",      "под",     "поэтому",
    "после",   "потом",   "потому",  "почему",  "почти",   "при",      "про",     "раз",     "разве",
    "с",       "сам",     "сама",    "сами",    "само",    "свое",     "своё",    "свои",    "свой",
    "своя",    "себе",    "себя",    "сейчас",  "со",      "собой",    "так",     "такая",   "также",
    "такие",   "такое",   "такой",   "там",     "те",      "тебе",     "тебя",    "тем",     "теперь",
    "тех",     "то",      "тобой",   "тогда",   "того",    "тоже",     "той",     "только",  "том",
    "тому",    "тот",     "ту",      "тут",     "ты",      "у",        "уж",      "уже",     "хоть",
    "хотя",    "чего",    "чей",     "чем",     "чему",    "через",    "что",     "чтоб",    "чтобы",
    "чья",     "эта",     "эти",     "этим",    "этих",    "это",      "этого",   "этой",    "этом",
    "этому",   "этот",    "эту",     "я",
};

}  // namespace

bool is_stop_word(std::string_view word) {
  static const std::unordered_set<std::string_view> words = [] {
    std::unordered_set<std::string_view> both(std::begin(kEnglish), std::end(kEnglish));
    both.insert(std::begin(kRussian), std::end(kRussian));
    return both;
  }();
  return words.count(word) > 0;
}

}  // namespace knapsack

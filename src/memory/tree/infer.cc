#include "memory/tree/infer.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <span>

#include "text/unicode/utf8.h"
#include "text/words/lexicon.h"
#include "text/words/stop_words.h"
#include "text/words/words.h"

namespace knapsack::memory {
namespace {

// The first row with a word decides, so what is rarer and says more stands first. Words that mean other
// things as often ("like", "commit", "will") are not here.
const Lexicon& categories() {
  static const Lexicon lexicon(
      "correction: wrong incorrect incorrectly mistaken correction misremembered неверно неправильно "
      "ошибочно "
      "поправка исправление\n"
      "decision: decided decide decision chose chosen agreed settled adopted решили решил решила решено "
      "решение "
      "выбрали выбрал выбрала договорились постановили\n"
      "commitment: promise promised pledge owe deadline обещал* обещан* обязался обязалась "
      "обязались "
      "обязуюсь дедлайн обязательство\n"
      "preference: prefer preference favorite favourite dislike hate love предпочита* предпочтение нравится "
      "любит люблю любим* ненавид*\n"
      "principle: always never must principle rule policy всегда никогда принцип правило нельзя обязательно\n"
      "relationship: manager colleague teammate boss wife husband brother sister friend married коллега "
      "начальник начальница жена муж брат сестра друг подруга\n"
      "skill: expert proficient fluent skill skilled умеет умею владеет навык эксперт\n"
      "moment: yesterday today happened met celebrated launched вчера сегодня произошло случилось встретил* "
      "отпраздновали запустили\n");
  return lexicon;
}

struct CategoryWorth {
  std::string_view category;
  double importance;
};
// 0.4 is neutral in scoring: a plain fact moves nothing.
constexpr std::array<CategoryWorth, 8> kWorth = {{{"correction", 0.8},
                                                  {"decision", 0.8},
                                                  {"commitment", 0.8},
                                                  {"principle", 0.75},
                                                  {"preference", 0.6},
                                                  {"relationship", 0.6},
                                                  {"skill", 0.5},
                                                  {"entity", 0.5}}};
constexpr double kNeutral = 0.4;
constexpr double kWeight = 0.2;
constexpr double kDoubt = 0.15;
constexpr double kMin = 0.05;

const Lexicon& stresses() {
  static const Lexicon lexicon(
      "weight: critical crucial urgent important essential security outage production irreversible критично "
      "критическ* важно важн* срочно безопасность авария прод\n"
      "doubt: maybe perhaps might possibly trivial minor возможно наверное вероятно мелочь незначительн*\n");
  return lexicon;
}

const Lexicon& person_verbs() {
  static const Lexicon lexicon(
      "does: prefer like dislike hate love want say said ask asked think believe live promised предпочита* "
      "любит "
      "нравится хочет живет живёт сказал* просил* попросил* думает обещал* ненавид*\n");
  return lexicon;
}

const Lexicon& goals() {
  static const Lexicon lexicon(
      "debug: debug bug error crash fail failure broken exception regression отладка баг ошибка падает сбой "
      "сломан*\n"
      "release: release deploy deployment rollout ship publish релиз выпуск деплой развернуть выкатить\n"
      "plan: plan roadmap schedule milestone design estimate план дорожная график проектирование оценка\n"
      "review: review audit feedback approve ревью аудит отзыв проверка\n"
      "test: test coverage benchmark measure тест покрытие бенчмарк измерить\n"
      "configure: configure configuration setting install setup environment настройка настроить установка "
      "окружение конфигурация\n"
      "document: document documentation readme changelog документация документ описание\n"
      "learn: learn understand explain tutorial question изучить понять объяснить вопрос\n"
      "build: build implement create feature develop refactor собрать сборка реализовать создать "
      "разработка\n");
  return lexicon;
}

const Lexicon& actions() {
  static const Lexicon lexicon(
      "fix: fix repair correct resolve исправить починить чинить решить\n"
      "create: create add build write implement make создать добавить написать сделать\n"
      "change: change update move rename replace migrate refactor изменить обновить переместить заменить "
      "переименовать\n"
      "remove: remove delete drop retire deprecate удалить убрать\n"
      "decide: decide decided choose chose agree решили решено выбрать выбрали договориться\n"
      "check: check review test verify measure compare проверить сравнить измерить\n"
      "explain: explain describe answer show why how объяснить описать показать почему как\n"
      "remind: remember remind recall напомни напомнить помни вспомни\n");
  return lexicon;
}

const Lexicon& entity_types() {
  static const Lexicon lexicon(
      "person: he she they his her user customer colleague manager team friend он она они пользователь "
      "клиент "
      "коллега команда\n"
      "project: project repository product roadmap проект репозиторий продукт\n"
      "service: service server api database queue cluster endpoint сервис сервер база очередь кластер\n"
      "file: file folder path script module config файл папка путь скрипт модуль конфиг\n"
      "tool: tool editor compiler library framework cli инструмент редактор компилятор библиотека\n"
      "event: meeting release incident outage deadline call встреча релиз инцидент авария созвон\n");
  return lexicon;
}

std::vector<std::string> plain_words(std::string_view text) {
  WordOptions options;
  options.emit_parts = false;
  return words_of(text, options);
}

// The row of the lexicon with the most words in the text; the earlier row where two have as many.
std::string fullest_row(const Lexicon& lexicon, std::span<const std::string> words) {
  std::vector<size_t> hits(lexicon.names().size(), 0);
  for (const std::string& word : words) {
    for (const size_t row : lexicon.find(word)) ++hits[row];
  }
  const auto most = std::max_element(hits.begin(), hits.end());
  return most == hits.end() || *most == 0 ? "" : lexicon.names()[static_cast<size_t>(most - hits.begin())];
}

bool has_word_of(const Lexicon& lexicon, std::span<const std::string> words, std::string_view row) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return lexicon.holds(word, row); });
}

// "anna" of "person-anna": what a text would call it.
std::string_view name_of(std::string_view entity) {
  const size_t dash = entity.find('-');
  return dash == std::string_view::npos ? entity : entity.substr(dash + 1);
}

// Where the words of the name stand one after another; npos when they do not.
size_t find_name(std::span<const std::string> words, std::string_view name) {
  const std::vector<std::string> wanted = plain_words(std::string(name).append(" "));
  if (wanted.empty()) return std::string_view::npos;
  const auto found = std::search(words.begin(), words.end(), wanted.begin(), wanted.end());
  return found == words.end() ? std::string_view::npos : static_cast<size_t>(found - words.begin());
}

// Names of people in any script: lower-cased letters and digits with dashes between the words.
std::string person_id(std::string_view name) {
  std::string id = "person";
  for (const std::string& word : plain_words(name)) id += "-" + word;
  return id;
}

}  // namespace

bool is_capitalised(std::string_view word) {
  if (word.empty()) return false;
  const auto first = static_cast<utf8proc_int32_t>(decode_code_point(word).value);
  return utf8proc_category(first) == UTF8PROC_CATEGORY_LU;
}

std::string infer_category(std::string_view text) {
  const Lexicon& lexicon = categories();
  size_t best = lexicon.names().size();
  for (const std::string& word : plain_words(text)) {
    for (const size_t row : lexicon.find(word)) best = std::min(best, row);
  }
  return best == lexicon.names().size() ? "fact" : lexicon.names()[best];
}

double infer_importance(std::string_view text, std::string_view category) {
  double importance = kNeutral;
  for (const CategoryWorth& worth : kWorth) {
    if (worth.category == category) importance = worth.importance;
  }
  const auto words = plain_words(text);
  if (has_word_of(stresses(), words, "weight")) importance += kWeight;
  if (has_word_of(stresses(), words, "doubt")) importance -= kDoubt;
  return std::clamp(importance, kMin, 1.0);
}

std::string_view importance_level(double importance) {
  if (importance >= 0.9) return "critical";
  if (importance >= 0.7) return "high";
  if (importance >= 0.4) return "normal";
  return importance >= 0.2 ? "low" : "trivial";
}

std::string_view confidence_tier(double confidence) {
  if (confidence >= 0.95) return "explicit";
  if (confidence >= 0.7) return "implied";
  return confidence >= 0.4 ? "inferred" : "speculative";
}

std::string infer_entity(std::string_view text, const std::vector<std::string>& known) {
  const auto words = plain_words(text);
  size_t earliest = std::string_view::npos;
  std::string entity;
  for (const std::string& each : known) {
    const size_t at = find_name(words, name_of(each));
    if (at < earliest || (at == earliest && at != std::string_view::npos && each.size() > entity.size())) {
      earliest = at;
      entity = each;
    }
  }
  if (!entity.empty()) return entity;
  // "Anna prefers", "Anna Petrova works": capitalised words before a verb of people.
  std::string name;
  WordOptions options;
  options.emit_parts = false;
  WordReader reader(text, options);
  size_t capitalised = 0;
  for (Word word; reader.next(word);) {
    const std::string_view written = text.substr(word.begin, word.end - word.begin);
    if (capitalised > 0 && person_verbs().holds(word.text, "does")) return person_id(name);
    if (!is_capitalised(written) || is_stop_word(word.text) || ++capitalised > 2) return "";
    name += std::string(written) + " ";
  }
  return "";
}

Intent infer_intent(std::string_view text) {
  const auto words = plain_words(text);
  Intent intent;
  intent.goal = fullest_row(goals(), words);
  intent.action_type = fullest_row(actions(), words);
  for (const std::string& type : entity_types().names()) {
    if (has_word_of(entity_types(), words, type)) intent.entity_types.push_back(type);
  }
  return intent;
}

}  // namespace knapsack::memory

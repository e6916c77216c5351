// More of what people ask, twelve sentences for each intent and language, so that a change of the lexicon
// that helps one sentence and breaks others is seen.
#include <gtest/gtest.h>

#include <map>

#include "understand/intent.h"

namespace knapsack {
namespace {

using enum TaskIntent;
using Sentences = std::map<TaskIntent, std::vector<const char*>>;

const Sentences& english() {
  static const Sentences sentences = {
      {kDebug,
       {"The nightly import crashed again", "Users report a 500 error on checkout",
        "Something is broken in the login flow", "Find out why the queue gets stuck",
        "Fixing the race condition in the worker", "There is a regression since the last release",
        "The report shows wrong totals", "Segmentation fault when parsing an empty file",
        "Tests fail on CI but pass locally", "Track down the memory leak in the cache",
        "It throws an exception when the manifest is missing", "The page doesn't load any more"}},
      {kPlan,
       {"Make a plan for the database migration", "How should we split this into tasks?",
        "Outline the steps to ship the new API", "Draft a roadmap for search",
        "Break this epic into smaller stories", "Plan next week's work on the importer",
        "Let's design the new permission model", "Prioritise the open tasks",
        "Give me an estimate for TG-TASK-12", "What should the architecture of the sync service be?",
        "Propose milestones for the beta", "Planning the rollout of the new carrier"}},
      {kResearch,
       {"Research how other teams do rate limiting", "Compare Postgres and SQLite for our load",
        "What are the alternatives to polling?", "Investigate options for full text search",
        "Evaluate the three embedding models", "Do a survey of tokenizers",
        "Look into prior art for resumable uploads", "Analyse the pros and cons of a monorepo",
        "Explore libraries for PDF parsing", "Benchmark the two queue implementations",
        "Study the literature about context windows", "Gather evidence on how customers use exports"}},
      {kExecute,
       {"Implement the retry policy", "Add tests for the parser", "Create a migration for the offset column",
        "Remove the deprecated endpoint", "Refactor the carrier client", "Continue TG-TASK-9",
        "Build the status page", "Upgrade the TLS library", "Finish the pagination work",
        "Move the config into its own module", "Replace polling with webhooks",
        "Write documentation for the API"}},
      {kExplain,
       {"What is a manifest?", "Explain how offsets are stored", "Who owns the importer?",
        "Tell me what RG-DEC-4 says", "Give me an overview of the billing module",
        "How do parcels get their status?", "Summarise the last decision",
        "What does prefix mean in this context?", "Describe the trunk of the module tree",
        "What is a debugger?", "Is there a specific reason for five minutes?",
        "When was polling introduced?"}}};
  return sentences;
}

const Sentences& russian() {
  static const Sentences sentences = {
      {kDebug,
       {"Ночной импорт снова упал", "Пользователи жалуются на ошибку 500", "Что-то сломано в форме входа",
        "Разберись, почему очередь зависает", "Исправление гонки в обработчике",
        "После релиза появилась регрессия", "Отчёт показывает неверные суммы",
        "Тесты падают в CI, но проходят локально", "Найди утечку памяти в кэше",
        "Бросает исключение, если нет манифеста", "Устрани сбой при загрузке", "Баг в расчёте скидок"}},
      {kPlan,
       {"Составь план переезда базы данных", "Распланируй работу над импортом",
        "Набросай дорожную карту для поиска", "Разбей эпик на задачи", "Запланируй выпуск бета-версии",
        "Давай спроектируем модель прав", "Расставь приоритеты открытых задач", "Дай оценку TG-TASK-12",
        "Продумай архитектуру сервиса синхронизации", "Предложи этапы для запуска", "Нужен план отката",
        "Какая у нас стратегия миграции?"}},
      {kResearch,
       {"Исследуй, как другие ограничивают частоту запросов", "Сравни Postgres и SQLite",
        "Какие есть альтернативы опросу?", "Изучи варианты полнотекстового поиска",
        "Проведи сравнение трёх моделей", "Сделай обзор токенизаторов",
        "Проанализируй плюсы и минусы монорепозитория", "Поищи библиотеки для разбора PDF",
        "Собери сведения о том, как клиенты пользуются выгрузкой", "Исследование рынка перевозчиков",
        "Найди источники про контекстные окна", "Анализ двух реализаций очереди"}},
      {kExecute,
       {"Реализуй политику повторов", "Добавь тесты для разборщика", "Создай миграцию для смещения",
        "Удали устаревший метод", "Отрефактори клиент перевозчика", "Продолжай TG-TASK-9",
        "Собери страницу состояния", "Обнови библиотеку TLS", "Закончи работу над страницами",
        "Перенеси настройки в отдельный модуль", "Замени опрос на вебхуки", "Напиши документацию"}},
      {kExplain,
       {"Что такое манифест?", "Объясни, как хранятся смещения", "Кто отвечает за импорт?",
        "Расскажи, о чём RG-DEC-4", "Дай краткое описание модуля оплаты", "Как посылки получают свой статус?",
        "Перескажи последнее решение", "Что значит префикс в этом месте?", "Опиши ствол дерева модулей",
        "Что такое отладчик?", "Почему выбрали пять минут?", "Когда появился опрос?"}}};
  return sentences;
}

void check(const Sentences& sentences) {
  for (const auto& [intent, texts] : sentences) {
    EXPECT_GE(texts.size(), 12U);
    for (const char* text : texts) {
      const IntentChoice choice = classify_intent(text);
      EXPECT_EQ(to_string(choice.intent), to_string(intent)) << text << " — " << choice.reason;
    }
  }
}

TEST(GraphIntentSentences, OfEveryIntentAreUnderstoodInEnglish) {
  check(english());
}

TEST(GraphIntentSentences, OfEveryIntentAreUnderstoodInRussian) {
  check(russian());
}

}  // namespace
}  // namespace knapsack

#include "understand/intent.h"

#include <gtest/gtest.h>

#include <set>

namespace knapsack {
namespace {

struct Sentence {
  TaskIntent intent;
  const char* text;
};

using enum TaskIntent;

constexpr Sentence kEnglish[] = {
    {kDebug, "Fix the crash in the importer"},
    {kDebug, "Why does the build fail on main?"},
    {kDebug, "The status page is broken since yesterday"},
    {kDebug, "Debugging the retry loop"},
    {kDebug, "Login doesn't work any more"},
    {kDebug, "Find the root cause of the error in batch 7"},
    {kDebug, "Tests are failing after the merge"},
    {kDebug, "TypeError exception when the manifest is empty"},
    {kDebug, "The worker hangs and leaks memory"},
    {kDebug, "Diagnose the wrong totals"},
    {kDebug, "Please troubleshoot the flaky test"},
    {kPlan, "Plan the migration to the new carrier API"},
    {kPlan, "Design a retry policy"},
    {kPlan, "Break down the work on the status page"},
    {kPlan, "We need a roadmap for the next quarter"},
    {kPlan, "Estimate TG-TASK-7"},
    {kPlan, "Propose a strategy for backups"},
    {kPlan, "Let's schedule the rollout and its milestones"},
    {kPlan, "Prioritize the backlog"},
    {kPlan, "What are the next steps?"},
    {kResearch, "Research alternatives to SQLite"},
    {kResearch, "Compare the two carriers"},
    {kResearch, "Investigate how others resume imports"},
    {kResearch, "Evaluate vector databases"},
    {kResearch, "Look into trade offs of polling"},
    {kResearch, "Analyze the options for caching"},
    {kResearch, "Find papers about context packing"},
    {kResearch, "Explore best practices for retries"},
    {kResearch, "Survey existing tools"},
    {kExecute, "Implement TG-TASK-7"},
    {kExecute, "Add a column for the offset"},
    {kExecute, "Write the migration"},
    {kExecute, "Continue with the importer"},
    {kExecute, "Run the nightly import"},
    {kExecute, "Rename BatchStore to OffsetStore"},
    {kExecute, "Deploy the new version to staging"},
    {kExecute, "Could you refactor the carriers module?"},
    {kExecute, "Set up the sandbox"},
    {kExecute, "Update the docs of the status page"},
    {kExplain, "Explain the release plan"},
    {kExplain, "What does the debugger do?"},
    {kExplain, "How does the importer remember its offset?"},
    {kExplain, "Describe the batch store"},
    {kExplain, "What is the prefix of a manifest?"},
    {kExplain, "Tell me about the trunk"},
    {kExplain, "Which carrier is specific to Norway?"},
    {kExplain, "Summarize RG-DEC-3"},
    {kExplain, "Why did we choose polling?"},
    {kExplain, "Where is the queue?"},
    {kExplain, "hello"},
    {kExplain, "prefix"},
    {kExplain, "trunk"},
    {kExplain, "specific"},
    {kExplain, "suffix, affix and crucifix"},
    {kExplain, "the planet and the airplane"},
    {kExplain, "fix_imports.py and error_codes.h"},
    {kExplain, ""},
};

constexpr Sentence kRussian[] = {
    {kDebug, "Исправь ошибку в импорте"},
    {kDebug, "Почему падает сборка?"},
    {kDebug, "Программа завершилась с ошибкой"},
    {kDebug, "Ошибки в логах после обновления"},
    {kDebug, "Страница состояния не работает"},
    {kDebug, "Почини вход для новых пользователей"},
    {kDebug, "Сломалась загрузка манифеста"},
    {kDebug, "Найди причину сбоя и утечку памяти"},
    {kDebug, "Отладка цикла повторов"},
    {kDebug, "Процесс зависает на третьем шаге"},
    {kDebug, "Исключение при пустом файле"},
    {kPlan, "Составь план миграции"},
    {kPlan, "Спланируй работу на неделю"},
    {kPlan, "Спроектируй политику повторов"},
    {kPlan, "Разбей задачу на этапы"},
    {kPlan, "Оцени TG-TASK-7"},
    {kPlan, "Нужна стратегия резервного копирования"},
    {kPlan, "Предложи приоритеты для бэклога"},
    {kPlan, "Планирование следующего квартала"},
    {kPlan, "Давай наметим следующие шаги"},
    {kResearch, "Исследуй альтернативы SQLite"},
    {kResearch, "Сравни двух перевозчиков"},
    {kResearch, "Изучи, как другие возобновляют импорт"},
    {kResearch, "Проанализируй варианты кэширования"},
    {kResearch, "Найди статьи об упаковке контекста"},
    {kResearch, "Нужен обзор существующих инструментов"},
    {kResearch, "Выясни, какие есть лучшие практики"},
    {kResearch, "Анализ нагрузки за месяц"},
    {kExecute, "Реализуй TG-TASK-7"},
    {kExecute, "Добавь колонку для смещения"},
    {kExecute, "Напиши миграцию"},
    {kExecute, "Продолжи работу над импортом"},
    {kExecute, "Запусти ночной импорт"},
    {kExecute, "Переименуй модуль перевозчиков"},
    {kExecute, "Удали старые манифесты"},
    {kExecute, "Нужно обновить документацию"},
    {kExecute, "Сделай страницу состояния"},
    {kExplain, "Объясни план выпуска"},
    {kExplain, "Что делает отладчик?"},
    {kExplain, "Как работает импорт?"},
    {kExplain, "Опиши хранилище партий"},
    {kExplain, "Зачем нужен опрос перевозчиков?"},
    {kExplain, "Расскажи про очередь"},
    {kExplain, "Чем отличаются два счётчика?"},
    {kExplain, "Где лежит манифест?"},
    {kExplain, "планета и планшет"},
    {kExplain, "багаж и багет"},
    {kExplain, "привет"},
};

void check(const Sentence& sentence) {
  const IntentChoice choice = classify_intent(sentence.text);
  EXPECT_EQ(to_string(choice.intent), to_string(sentence.intent)) << sentence.text << " — " << choice.reason;
}

TEST(GraphIntent, IsToldInEnglish) {
  static_assert(std::size(kEnglish) >= 40);
  for (const Sentence& sentence : kEnglish) check(sentence);
}

TEST(GraphIntent, IsToldInRussian) {
  static_assert(std::size(kRussian) >= 40);
  for (const Sentence& sentence : kRussian) check(sentence);
}

TEST(GraphIntent, EveryOneIsAmongTheSentencesOfBothLanguages) {
  std::set<TaskIntent> english, russian;
  for (const Sentence& sentence : kEnglish) english.insert(sentence.intent);
  for (const Sentence& sentence : kRussian) russian.insert(sentence.intent);
  EXPECT_EQ(english.size(), 5U);
  EXPECT_EQ(russian.size(), 5U);
}

TEST(GraphIntent, NamesTheWordsThatDecided) {
  const IntentChoice choice = classify_intent("Why do the imports CRASH with an error?");
  EXPECT_EQ(choice.intent, TaskIntent::kDebug);
  EXPECT_EQ(choice.words, (std::vector<std::string>{"crash", "error"}));
  EXPECT_EQ(choice.reason, "by the words: crash, error");
}

TEST(GraphIntent, OnATieFollowsThePrecedence) {
  // One word each, none of them where an order has its verb.
  const std::pair<const char*, TaskIntent> rows[] = {{"the error, the plan", kDebug},
                                                     {"the plan, the comparison", kPlan},
                                                     {"the comparison, the implementation", kResearch},
                                                     {"the implementation, the description", kExecute}};
  for (const auto& [text, intent] : rows) {
    const IntentChoice choice = classify_intent(text);
    EXPECT_EQ(to_string(choice.intent), to_string(intent)) << text << " — " << choice.reason;
    EXPECT_NE(choice.reason.find("on a tie"), std::string::npos) << text;
  }
}

TEST(GraphIntent, FormsOfOneRussianWordAreOneWord) {
  for (const char* form : {"ошибка", "ошибки", "ошибке", "ошибку", "ошибкой", "ошибок", "ошибками"}) {
    EXPECT_EQ(classify_intent(std::string("там ") + form).intent, TaskIntent::kDebug) << form;
  }
}

TEST(GraphIntent, NoWordOfALexiconBelongsToTwoIntents) {
  std::set<std::string_view> seen;
  for (const TaskIntent intent : {kDebug, kPlan, kResearch, kExecute, kExplain}) {
    for (const std::string_view word : intent_lexicon(intent)) EXPECT_TRUE(seen.insert(word).second) << word;
  }
}

}  // namespace
}  // namespace knapsack

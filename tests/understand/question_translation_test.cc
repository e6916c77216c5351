// Questions in other languages than the code, word by word; English stays as it is.
#include "understand/question_translation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "understand/programming_terms.h"

namespace knapsack {
namespace {

using ::testing::IsEmpty;
using ::testing::IsSupersetOf;

TEST(QuestionTranslation, FindsTheWordsOfProgramming) {
  const struct {
    const char* question;
    std::vector<std::string> words;
  } rows[] = {
      {"Где хранится сессия пользователя после входа?", {"store", "session", "user", "login"}},
      {"Как настроить число повторов фоновой загрузки?", {"retry", "background", "upload", "settings"}},
      {"用户登录以后会话保存在哪里？", {"user", "login", "session", "save"}},
      {"如何配置后台上传任务的重试次数？", {"config", "background", "upload", "task", "retry"}},
      {"¿Dónde se guarda la sesión del usuario?", {"store", "session", "user"}},
      {"Wo wird die Sitzung des Benutzers gespeichert?", {"session", "user", "store"}},
      {"Où est enregistrée la session de l'utilisateur ?", {"store", "session", "user"}},
      {"ログインの後、セッションはどこに保存されますか。", {"login", "session", "save"}},
  };
  for (const auto& row : rows)
    EXPECT_THAT(translate_question(row.question), IsSupersetOf(row.words)) << row.question;
}

TEST(QuestionTranslation, LeavesEnglishAlone) {
  for (const char* question : {"Where is the user's session stored after a log-in?", "red die table error",
                               "fix the naïve parser in café.py", "def f(x): return x", ""})
    EXPECT_THAT(translate_question(question), IsEmpty()) << question;
  EXPECT_EQ(with_translation("Where is it?"), "Where is it?");
}

TEST(QuestionTranslation, SpellsRussianWordsThatAreEnglishOnes) {
  EXPECT_THAT(translate_question("чанкер"), ::testing::ElementsAre("chanker"));
  EXPECT_THAT(translate_question("почему падает рендерер"), ::testing::Contains("crash"));
}

TEST(QuestionTranslation, KeepsTheQuestionAndTakesAnyBytes) {
  const std::string question = "Где класс FileLock?";
  EXPECT_TRUE(with_translation(question).starts_with(question + "\n"));
  for (int first = 0; first < 256; ++first) {
    std::string bytes = {static_cast<char>(first), '\xD0', '\xB0', '\xE4', '\xB8'};
    translate_question(bytes);
  }
  std::string longest;
  for (int i = 0; i < 2'000; ++i) longest += "файл папка ошибка сервер ";
  EXPECT_LE(translate_question(longest).size(), kMaxTranslations);
}

TEST(ProgrammingTerms, AreManyAndEachLanguageHasAllOfThem) {
  size_t entries = 0;
  std::set<std::string_view> english;
  for (const ProgrammingTerm& term : programming_terms()) {
    english.insert(term.english);
    for (const std::string_view words :
         {term.russian, term.chinese, term.spanish, term.german, term.french, term.japanese}) {
      EXPECT_FALSE(words.empty()) << term.english;
      entries += static_cast<size_t>(std::count(words.begin(), words.end(), ' ')) + 1;
    }
  }
  EXPECT_GE(entries, 1'500U);
  EXPECT_EQ(english.size(), programming_terms().size());
}

}  // namespace
}  // namespace knapsack

#include "graph/intent.h"

namespace knapsack::graph {
namespace {

// Words in any form that their stem does not cover are there in each of them: Russian verbs change their root
// between aspects, and imperatives lose their ending. Two words in one entry must follow each other.
constexpr std::string_view kDebug[] = {
    "debug",
    "debugging",
    "fix",
    "bug",
    "buggy",
    "bugfix",
    "error",
    "erroneous",
    "crash",
    "fail",
    "failure",
    "failing",
    "broken",
    "breaks",
    "broke",
    "fault",
    "faulty",
    "exception",
    "traceback",
    "segfault",
    "panic",
    "regression",
    "troubleshoot",
    "diagnose",
    "diagnosis",
    "wrong",
    "incorrect",
    "hang",
    "hangs",
    "freeze",
    "freezes",
    "froze",
    "leak",
    "deadlock",
    "flaky",
    "repair",
    "stack trace",
    "root cause",
    "not work",
    "t work",
    "stopped working",
    "stop working",
    "ошибка",
    "ошибок",
    "ошибочный",
    "баг",
    "бага",
    "багов",
    "исправь",
    "исправить",
    "исправление",
    "исправляй",
    "почини",
    "починить",
    "почините",
    "чинить",
    "падать",
    "падает",
    "упал",
    "упала",
    "упало",
    "упасть",
    "падение",
    "сбой",
    "сбоя",
    "сбои",
    "сломан",
    "сломался",
    "сломалась",
    "сломалось",
    "сломать",
    "ломается",
    "исключение",
    "отладка",
    "отладь",
    "отладить",
    "отлаживать",
    "диагностика",
    "диагностировать",
    "неправильно",
    "неверно",
    "неверный",
    "зависает",
    "зависать",
    "завис",
    "зависание",
    "утечка",
    "регрессия",
    "краш",
    "дебажить",
    "не работает",
    "не работать",
    "перестал работать",
    "перестала работать",
    "перестало работать",
};

constexpr std::string_view kPlan[] = {
    "plan",          "planning",       "roadmap",        "design",         "architect",
    "propose",       "proposal",       "strategy",       "strategize",     "schedule",
    "scope",         "prioritize",     "prioritise",     "priority",       "estimate",
    "estimation",    "milestone",      "outline",        "breakdown",      "organize",
    "organise",      "sequence",       "spec",           "specify",        "break down",
    "next steps",    "план",           "планировать",    "планирование",   "спланируй",
    "спланировать",  "запланировать",  "запланируй",     "распланируй",    "планируй",
    "проектировать", "спроектировать", "спроектируй",    "проектирование", "дорожная карта",
    "стратегия",     "предложи",       "предложить",     "приоритет",      "приоритизировать",
    "оцени",         "оценить",        "оценка",         "этап",           "разбей",
    "разбить",       "составь",        "составить",      "расписание",     "набросай",
    "наметь",        "наметить",       "следующие шаги",
};

constexpr std::string_view kResearch[] = {
    "research",      "investigate",      "investigation", "compare",       "comparison",   "evaluate",
    "evaluation",    "explore",          "exploration",   "survey",        "benchmark",    "alternative",
    "analyze",       "analyse",          "analysis",      "study",         "assess",       "assessment",
    "find",          "search",           "discover",      "options",       "look into",    "trade offs",
    "pros cons",     "best practices",   "исследовать",   "исследуй",      "исследование", "изучи",
    "изучить",       "изучение",         "сравни",        "сравнить",      "сравнение",    "альтернатива",
    "проанализируй", "проанализировать", "анализ",        "анализировать", "найди",        "найти",
    "поищи",         "искать",           "разузнай",      "выясни",        "выяснить",     "обзор",
    "варианты",      "бенчмарк",         "разведка",      "оценивать",     "рассмотри",    "рассмотреть",
    "поиск",         "лучшие практики",
};

constexpr std::string_view kExecute[] = {
    "implement",     "implementation", "add",         "build",
    "create",        "write",          "do",          "execute",
    "run",           "make",           "finish",      "complete",
    "continue",      "start",          "apply",       "deploy",
    "ship",          "release",        "refactor",    "rename",
    "remove",        "delete",         "update",      "upgrade",
    "migrate",       "change",         "replace",     "install",
    "configure",     "merge",          "move",        "extend",
    "port",          "convert",        "integrate",   "generate",
    "enable",        "disable",        "introduce",   "set up",
    "реализуй",      "реализовать",    "реализация",  "добавь",
    "добавить",      "сделай",         "сделать",     "создай",
    "создать",       "напиши",         "написать",    "выполни",
    "выполнить",     "запусти",        "запустить",   "закончи",
    "закончить",     "заверши",        "завершить",   "продолжи",
    "продолжить",    "начни",          "начать",      "примени",
    "применить",     "разверни",       "развернуть",  "выпусти",
    "выпустить",     "рефакторинг",    "отрефактори", "переименуй",
    "переименовать", "удали",          "удалить",     "обнови",
    "обновить",      "перенеси",       "перенести",   "измени",
    "изменить",      "замени",         "заменить",    "установи",
    "установить",    "настрой",        "настроить",   "внедри",
    "внедрить",      "включи",         "включить",    "отключи",
    "отключить",     "собери",         "собрать",     "перепиши",
    "переписать",    "доделай",        "доделать",
};

constexpr std::string_view kExplain[] = {
    "explain",       "explanation",  "describe",     "description",    "clarify",
    "summarize",     "summarise",    "summary",      "overview",       "understand",
    "understanding", "mean",         "meaning",      "define",         "definition",
    "difference",    "document",     "teach",        "what",           "why",
    "who",           "when",         "where",        "which",          "how does",
    "how do",        "how is",       "how are",      "how did",        "how was",
    "tell me",       "show me",      "walk me",      "объясни",        "объяснить",
    "объяснение",    "поясни",       "пояснить",     "опиши",          "описать",
    "описание",      "расскажи",     "рассказать",   "покажи",         "что",
    "почему",        "зачем",        "кто",          "когда",          "где",
    "какой",         "какая",        "какие",        "какое",          "значит",
    "означает",      "смысл",        "разница",      "отличие",        "отличается",
    "чем",           "понять",       "понимание",    "резюмируй",      "как работает",
    "как устроен",   "как устроена", "как устроено", "как происходит", "как это",
};

}  // namespace

std::vector<std::string_view> intent_lexicon(Intent intent) {
  const auto list = [](const auto& words) {
    return std::vector<std::string_view>(std::begin(words), std::end(words));
  };
  switch (intent) {
    case Intent::kDebug:
      return list(kDebug);
    case Intent::kPlan:
      return list(kPlan);
    case Intent::kResearch:
      return list(kResearch);
    case Intent::kExecute:
      return list(kExecute);
    case Intent::kExplain:
      break;
  }
  return list(kExplain);
}

}  // namespace knapsack::graph

#include "understand/task_type.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/ascii.h"
#include "text/words/lexicon.h"
#include "text/words/words.h"

namespace knapsack {
namespace {

using std::string_view;

// Verbs that a task begins with. "change" asks for whatever its object is.
constexpr string_view kVerbs = R"(
bug_fix: fix hotfix bugfix repair resolve debug investigate diagnose исправ* почин* починить устран* пофикс* фикс* отлад* разобраться
feature: add implement introduce support allow enable provide create extend expose добав* реализ* внедр* поддерж* созда* сдела* разреш* обеспеч*
refactor: refactor rename extract restructure simplify cleanup dedupe deduplicate decouple split reorganize modernize unify consolidate move рефактор* отрефактор* переимен* вынес* вынест* упрост* раздел* перенес* перенест* перепис* объедин*
test: test cover протестир* покры* тестировать
docs: document описа* опиш* документир* задокументир*
performance: optimize optimise accelerate profile speedup оптимиз* ускор*
change: update improve change rewrite write make clarify correct adjust enhance remove delete drop clean reduce speed обнов* улучш* измен* напис* напиш* переработ* удал* убра* убер* уменьш* сократ*
)";

// What a verb is applied to, where that tells more than the verb.
constexpr string_view kObjects = R"(
test: test tests unittest unittests тест тесты тестами coverage покрытие
docs: doc docs documentation readme docstring docstrings changelog typo typos tutorial comment comments документация ридми докстринг комментарий комментарии опечатка
performance: performance slow slowness latency throughput bottleneck faster производительность медленный медленно задержка быстрее
refactor: duplication unused dead дублирование неиспользуемый мертвый мёртвый
)";

// What sentences talk about when no verb asks for anything.
constexpr string_view kTopics = R"(
bug_fix: bug bugs crash fail failure error errors exception broken break wrong incorrect incorrectly regression panic segfault hang freeze traceback deadlock corrupt unexpected unexpectedly raise throw leak баг баги бага багов багу багом ошибка ошибки пада* упал* упад* слома* лома* неверн* неправильн* исключение краш* завис* утечка некорректн* регрессия
performance: slow slower slowly performance latency throughput optimize quadratic bottleneck медленн* тормоз* производительность долго
feature: feature support allow enable ability proposal request wish add implement поддержка возможность хотелось добав* предложение
refactor: refactor refactoring cleanup duplication duplicated рефакторинг дублирование
docs: documentation docs readme docstring typo tutorial документация опечатка ридми
test: test tests coverage flaky тест тесты тестов покрытие
)";

const Lexicon& verbs() {
  static const Lexicon lexicon(kVerbs);
  return lexicon;
}
const Lexicon& objects() {
  static const Lexicon lexicon(kObjects);
  return lexicon;
}
const Lexicon& topics() {
  static const Lexicon lexicon(kTopics);
  return lexicon;
}

constexpr std::array<TaskType, 6> kTypes = {TaskType::kBugFix,   TaskType::kPerformance, TaskType::kFeature,
                                            TaskType::kRefactor, TaskType::kDocs,        TaskType::kTest};

TaskType type_named(string_view name) {
  for (const TaskType type : kTypes)
    if (to_string(type) == name) return type;
  return TaskType::kGeneral;
}

constexpr size_t kMaxTypeWords = 2000;  // what a task is about is said before that

std::vector<std::string> plain_words(string_view text) {
  WordOptions options;
  options.emit_parts = false;
  std::vector<std::string> words;
  WordReader reader(text, options);
  for (Word word; words.size() < kMaxTypeWords && reader.next(word);) words.emplace_back(word.text);
  return words;
}

// "renamed files are lost" tells what happened to the files, and asks for no renaming. No verb of ours ends like that.
bool is_past_form(string_view word) {
  return word.ends_with("ed") && !word.ends_with("eed");
}

// "fix: …", "feat(cart): …", "[Bug] …", "Docs: …"
std::optional<TaskType> declared_type(string_view title) {
  const bool bracketed = title.starts_with('[');
  if (bracketed) title.remove_prefix(1);
  constexpr size_t kLongestDeclaration = 60;
  const size_t end = title.substr(0, kLongestDeclaration).find_first_of(bracketed ? "]" : ":");
  if (end == string_view::npos) return std::nullopt;
  string_view word = title.substr(0, end);
  word = word.substr(0, word.find_first_of("(!"));
  struct Row {
    string_view word;
    TaskType type;
  };
  constexpr std::array<Row, 22> kRows = {{
      {"fix", TaskType::kBugFix},
      {"bug", TaskType::kBugFix},
      {"bugfix", TaskType::kBugFix},
      {"hotfix", TaskType::kBugFix},
      {"bug report", TaskType::kBugFix},
      {"regression", TaskType::kBugFix},
      {"feat", TaskType::kFeature},
      {"feature", TaskType::kFeature},
      {"feature request", TaskType::kFeature},
      {"enhancement", TaskType::kFeature},
      {"docs", TaskType::kDocs},
      {"doc", TaskType::kDocs},
      {"documentation", TaskType::kDocs},
      {"test", TaskType::kTest},
      {"tests", TaskType::kTest},
      {"refactor", TaskType::kRefactor},
      {"cleanup", TaskType::kRefactor},
      {"perf", TaskType::kPerformance},
      {"performance", TaskType::kPerformance},
      {"баг", TaskType::kBugFix},
      {"Баг", TaskType::kBugFix},
      {"Ошибка", TaskType::kBugFix},
  }};
  const std::string lowered = ascii::lower(word);
  for (const Row& row : kRows)
    if (lowered == row.word) return row.type;
  return std::nullopt;
}

// Words that end what a verb is applied to: "add a test | for the fix".
bool ends_object(string_view word) {
  constexpr std::array<string_view, 20> kWords = {"for",   "to", "in",   "of",    "when", "so",   "that",
                                                  "which", "if", "from", "with",  "into", "для",  "в",
                                                  "во",    "к",  "из",   "чтобы", "при",  "когда"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

// The type that the object of the verb at `verb` says; a word about tests further on ("… with tests") does
// not.
TaskType object_type(const std::vector<std::string>& words, size_t verb) {
  constexpr size_t kReach = 5;
  for (size_t i = verb + 1; i < words.size() && i <= verb + kReach; ++i) {
    if (ends_object(words[i])) break;
    const std::vector<size_t> rows = objects().find(words[i]);
    if (!rows.empty()) return type_named(objects().names()[rows[0]]);
  }
  return TaskType::kGeneral;
}

bool holds(const std::vector<std::string>& words, string_view first, string_view second) {
  for (size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i] == first && words[i + 1] == second) return true;
  return false;
}

bool is_any_of(string_view word, std::initializer_list<string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// "Allow skipping tests" asks for no test, but for something that is done with them.
bool only_permits(string_view verb) {
  return verb.starts_with("allow") || verb.starts_with("support") || verb.starts_with("разреш") ||
         verb.starts_with("поддерж");
}

// What the title asks for, when it begins with a verb (politeness aside).
TaskType asked_type(const std::vector<std::string>& words) {
  if (holds(words, "speed", "up") || holds(words, "too", "slow")) return TaskType::kPerformance;
  constexpr size_t kPoliteness = 5;  // "could you please also add", "нужно срочно исправить"
  for (size_t i = 0; i < words.size() && i < kPoliteness; ++i) {
    const std::vector<size_t> rows = verbs().find(words[i]);
    if (rows.empty()) {
      constexpr std::array<string_view, 26> kPolite = {
          "please", "could", "can",  "you",        "we",         "i",    "should",  "need",  "needs",
          "want",   "to",    "also", "let",        "us",         "help", "me",      "must",  "would",
          "like",   "нужно", "надо", "пожалуйста", "необходимо", "хочу", "следует", "срочно"};
      if (std::find(kPolite.begin(), kPolite.end(), words[i]) == kPolite.end()) return TaskType::kGeneral;
      continue;
    }
    if (is_past_form(words[i])) return TaskType::kGeneral;
    const string_view verb = verbs().names()[rows[0]];
    const TaskType object = object_type(words, i);
    const bool strong = verb == "refactor" || verb == "docs" || verb == "test" || verb == "performance";
    if (strong) return type_named(verb);
    if (verb == "feature" && object == TaskType::kPerformance)
      return TaskType::kFeature;  // "add a latency metric"
    if (object == TaskType::kTest && only_permits(words[i])) return type_named(verb);
    if (verb == "bug_fix" && object == TaskType::kTest) return TaskType::kBugFix;  // "fix the failing test"
    return object != TaskType::kGeneral ? object : type_named(verb);
  }
  return TaskType::kGeneral;
}

bool is_question(const std::vector<std::string>& words) {
  constexpr std::array<string_view, 12> kQuestions = {"where", "how", "what", "which", "who",   "explain",
                                                      "где",   "как", "что",  "какой", "какие", "объясни"};
  return !words.empty() && std::find(kQuestions.begin(), kQuestions.end(), words[0]) != kQuestions.end();
}

// Whether a title is about the tests that its word `at` names. Whoever reports a bug of something that runs tests mentions
// them as well: "has no effect on nested suites and tests".
bool is_about_tests(const std::vector<std::string>& title, size_t at) {
  constexpr size_t kShortTitle = 3;  // "cart tests"
  constexpr size_t kReach = 4;
  if (is_any_of(title[at], {"coverage", "flaky", "покрытие"})) return true;
  if (title.size() <= kShortTitle && at + 1 == title.size()) return true;
  if (at + 1 < title.size() && is_any_of(title[at + 1], {"for", "для", "на"})) return true;
  bool is_qualified = false;  // "missing tests"
  for (size_t back = 1; back <= std::min(at, kReach); ++back) {
    const std::string& word = title[at - back];
    if (ends_object(word) || is_any_of(word, {"on", "by", "at", "between", "на", "по"})) return false;
    if (is_any_of(word, {"failing", "missing", "broken", "unit", "integration", "regression", "more"}))
      is_qualified = true;
    const std::vector<size_t> rows = verbs().find(word);
    if (rows.empty() || is_past_form(word) || only_permits(word)) continue;
    const string_view verb = verbs().names()[rows[0]];
    if (is_any_of(verb, {"feature", "refactor", "test", "change"})) return true;
  }
  return is_qualified;
}

using Scores = std::array<int, kTypes.size()>;

void add_topics(const std::vector<std::string>& words, int weight, bool title, Scores& scores) {
  for (size_t i = 0; i < words.size(); ++i) {
    for (const size_t row : topics().find(words[i])) {
      const TaskType type = type_named(topics().names()[row]);
      // Bug reports mention tests and documentation all the time; only a title is about them.
      if (!title && (type == TaskType::kTest || type == TaskType::kDocs)) continue;
      if (type == TaskType::kTest && !is_about_tests(words, i)) continue;
      scores[static_cast<size_t>(std::find(kTypes.begin(), kTypes.end(), type) - kTypes.begin())] += weight;
    }
    if (words[i] == "off" && i + 2 < words.size() && words[i + 1] == "by" && words[i + 2] == "one")
      scores[0] += weight;
    const bool negated = words[i] == "not" || words[i] == "doesn" || words[i] == "isn" || words[i] == "не";
    const size_t next = i + (i + 1 < words.size() && words[i + 1] == "t" ? 2 : 1);
    if (negated && next < words.size() &&
        (words[next].starts_with("work") || words[next].starts_with("работа")))
      scores[0] += weight;
  }
}

}  // namespace

TaskType task_type_of(const TaskTypeInput& input) {
  if (const auto declared = declared_type(input.title)) return *declared;
  const std::vector<std::string> title = plain_words(input.title);
  if (is_question(title) && !input.has_errors) return TaskType::kGeneral;
  if (const TaskType asked = asked_type(title); asked != TaskType::kGeneral) return asked;

  constexpr int kTitleWeight = 3, kProseWeight = 1, kErrorWeight = 4;
  Scores scores{};
  add_topics(title, kTitleWeight, true, scores);
  add_topics(plain_words(input.prose), kProseWeight, false, scores);
  if (input.has_errors) scores[0] += kErrorWeight;
  const auto best =
      std::max_element(scores.begin(), scores.end());  // the first of equals, in the order of kTypes
  return *best == 0 ? TaskType::kGeneral : kTypes[static_cast<size_t>(best - scores.begin())];
}

}  // namespace knapsack

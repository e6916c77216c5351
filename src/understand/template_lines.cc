#include "understand/template_lines.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/ascii.h"
#include "text/markdown/markdown_lines.h"
#include "text/words/words.h"

namespace knapsack {
namespace {

using ascii::kNone;
using std::string_view;

// In bytes, and Russian takes two a letter. A longer line is a sentence.
constexpr size_t kMaxTemplateBytes = 160;
constexpr size_t kMaxVersionBytes = 100;
constexpr size_t kMaxHeadingWords = 7;

// The tables are phrases in lower case, words apart by one blank, phrases by '|'.

// Whole lines, once marks and punctuation are gone.
constexpr string_view kWholeLines =
    R"(description|summary|expected|actual|observed|expected behavior|expected behaviour|actual behavior|
actual behaviour|current behavior|current behaviour|observed behavior|observed behaviour|
desired behavior|desired behaviour|expected result|actual result|expected results|actual results|
expected output|actual output|reproduction|reproducer|reproducible example|minimal reproducible example|
minimal reproduction|reproducibility|screenshot|screenshots|bug report|feature request|checklist|
your configuration|configuration|dialect|version|versions|environment|your environment|platform|
operating system|os|system|system info|system information|additional context|additional information|
additional info|context|motivation|proposal|proposed solution|possible solution|possible fix|
suggested solution|steps|no response|alternatives|logs|log output|relevant log output|error message|
traceback|stack trace|stacktrace|code sample|code example|example|bug description|problem description|
problem|issue description|details|tl dr|notes|описание|описание проблемы|описание ошибки|проблема|
ожидаемое поведение|фактическое поведение|текущее поведение|ожидаемый результат|фактический результат|
ожидание|реальность|окружение|среда|версия|версии|система|платформа|операционная система|ос|скриншот|
скриншоты|дополнительная информация|дополнительный контекст|шаги|логи|стек вызовов|трассировка|пример|
пример кода|контекст|мотивация|предложение|возможное решение)";

// Beginnings of lines, once marks are gone: questions and lead-ins that templates ask with.
constexpr string_view kBeginnings =
    R"(describe the bug|describe the issue|describe the problem|describe the feature|describe the solution|
describe alternatives|describe your|a clear and concise description|step to reproduce|steps to reproduce|
to reproduce|how to reproduce|how can we reproduce|reproduction steps|code to reproduce|what happened|
what did you|what do you expect|what you expected|what is the current behavior|
what is the expected behavior|what version|which version|search before asking|are you willing to|
code of conduct|is your feature request related|is there an existing issue|i agree to follow|
i have searched|i have read the|prerequisites|before submitting|шаги для воспроизведения|
шаги воспроизведения|шаги по воспроизведению|как воспроизвести|воспроизведение|что произошло|
что ожидалось|что вы ожидали)";

// What begins or ends the heading of a section about the reporter.
constexpr string_view kEnvironmentHeadings =
    R"(version|versions|environment|platform|operating system|system info|system information|system details|
code of conduct|are you willing|search before|output of|driver version|checklist|prerequisites|
installed packages|pip freeze|show versions|окружение|версия|версии|среда|операционная система)";

// What a line about a machine begins with.
constexpr string_view kMachineWords =
    R"(python|os|linux|windows|macos|darwin|ubuntu|debian|platform|numpy|scipy|version|node|nodejs|npm|yarn|
ruby|rustc|cargo|rust|php|java|jdk|openjdk|kotlin|gradle|maven|go|gcc|clang|cmake|django|pip|browser|
chrome|firefox|safari|dotnet|machine|processor|arch|architecture|cpu|docker|ос|версия|браузер|платформа|
uname|executable)";

std::vector<string_view> phrases_of(string_view table) {
  std::vector<string_view> phrases;
  while (!table.empty()) {
    const size_t end = std::min(table.find('|'), table.size());
    phrases.push_back(table.substr(0, end));
    table.remove_prefix(std::min(end + 1, table.size()));
    if (table.starts_with('\n')) table.remove_prefix(1);
  }
  return phrases;
}

const std::unordered_set<string_view>& whole_lines() {
  static const auto phrases = phrases_of(kWholeLines);
  static const std::unordered_set<string_view> lines(phrases.begin(), phrases.end());
  return lines;
}

const std::unordered_set<string_view>& machine_words() {
  static const auto phrases = phrases_of(kMachineWords);
  static const std::unordered_set<string_view> words(phrases.begin(), phrases.end());
  return words;
}

string_view without_line_marks(string_view line) {
  while (!line.empty() && (ascii::is_blank(line[0]) || string_view("#*_>-+").find(line[0]) != kNone))
    line.remove_prefix(1);
  return line;
}

std::string words_without_marks(string_view line) {
  WordOptions options;
  options.emit_parts = false;
  std::string joined;
  for (const std::string& word : words_of(line, options))
    joined.append(joined.empty() ? "" : " ").append(word);
  return joined;
}

// Whether a phrase stands in a line of words, between word borders.
bool holds_phrase(string_view words, string_view phrase) {
  for (size_t at = words.find(phrase); at != kNone; at = words.find(phrase, at + 1)) {
    const size_t end = at + phrase.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

bool starts_like_a_version(string_view token) {
  for (const string_view prefix : {"v", "go", "go version go"})
    if (token.starts_with(prefix) && token.size() > prefix.size() && ascii::is_digit(token[prefix.size()]))
      return true;
  return !token.empty() && ascii::is_digit(token[0]);
}

std::vector<string_view> tokens_of(string_view line) {
  std::vector<string_view> tokens;
  for (size_t at = 0; at < line.size();) {
    while (at < line.size() && ascii::is_blank(line[at])) ++at;
    const size_t begin = at;
    while (at < line.size() && !ascii::is_blank(line[at])) ++at;
    if (at > begin) tokens.push_back(line.substr(begin, at - begin));
  }
  return tokens;
}

// "1.2", "v1.2.3rc1", "==4.2": nothing else in the token.
bool is_version(string_view token) {
  while (!token.empty() && string_view(":=|@v").find(token[0]) != kNone) token.remove_prefix(1);
  const size_t dot = token.find('.');
  if (dot == kNone || dot == 0 || dot + 1 >= token.size() || !ascii::is_digit(token[dot + 1])) return false;
  return ascii::is_digit(token[0]) && std::all_of(token.begin(), token.end(), [](char c) {
           return ascii::is_identifier(c) || c == '.' || c == '+' || c == '-';
         });
}

}  // namespace

bool is_heading_line(string_view line) {
  if (heading_of({line, 1, false}).level > 0) return true;
  string_view text = trim(line);
  if (text.ends_with(':')) text.remove_suffix(1);
  return text.size() > 4 && text.starts_with("**") && text.ends_with("**") &&
         text.substr(2, text.size() - 4).find('*') == kNone;
}

bool is_template_line(string_view line) {
  line = without_line_marks(line);
  if (line.size() > kMaxTemplateBytes) return false;
  for (const string_view box : {"[ ] ", "[x] ", "[X] ", "[✅] "})
    if (line.starts_with(box)) return true;
  const std::string words = words_without_marks(line);
  if (whole_lines().count(words) > 0) return true;
  static const auto beginnings = phrases_of(kBeginnings);
  return std::any_of(beginnings.begin(), beginnings.end(), [&](string_view beginning) {
    return words.starts_with(beginning) &&
           (words.size() == beginning.size() || words[beginning.size()] == ' ');
  });
}

bool is_environment_heading(string_view heading) {
  heading = without_line_marks(heading);
  if (heading.size() > kMaxTemplateBytes) return false;
  const std::string words = words_without_marks(heading);
  if (static_cast<size_t>(std::count(words.begin(), words.end(), ' ')) >= kMaxHeadingWords) return false;
  // It heads the section; "Support version 2 of the protocol" only mentions it.
  static const auto headings = phrases_of(kEnvironmentHeadings);
  return std::any_of(headings.begin(), headings.end(), [&](string_view phrase) {
    return words.starts_with(phrase) || words.ends_with(phrase) ? holds_phrase(words, phrase) : false;
  });
}

bool is_version_line(string_view line) {
  line = trim(line);
  if (line.size() > kMaxVersionBytes) return false;
  const bool listed = line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ");
  if (listed) line = trim(line.substr(2));
  if (line.starts_with('*')) line = without_line_marks(line);
  const size_t separator = line.find_first_of(":=|@");
  const std::vector<string_view> tokens = tokens_of(line);
  if (tokens.empty()) return false;

  // "name 1.2.3", "name: 1.2.3", "name==1.2.3"
  constexpr size_t kMaxNameWords = 3;
  if (tokens.size() <= kMaxNameWords + 1) {
    const string_view last = tokens.back();
    const size_t inner = last.find_first_of("=@:");
    const bool joined = inner != kNone && inner > 0 && is_version(last.substr(inner));
    if (joined && tokens.size() == 1) return true;
    const bool marked = listed || separator != kNone || tokens.size() == 2;
    if (tokens.size() > 1 && marked && is_version(last)) return true;
  }
  // "Python 3.11.2 (main, …)", "OS: Ubuntu", "Linux host 5.15.0"
  const std::string first = words_without_marks(tokens[0].substr(0, tokens[0].find_first_of(":=|")));
  const size_t name_end = first.rfind(' ') == kNone ? 0 : first.rfind(' ') + 1;
  const bool machine = machine_words().count(string_view(first).substr(name_end)) > 0;
  if (!machine) {
    // "Python version: 3", "Operating System: Windows"
    const std::string name = separator == kNone ? "" : words_without_marks(line.substr(0, separator));
    return name.ends_with(" version") || name == "operating system" || name == "версия python";
  }
  if (tokens[0].find_first_of(":=|") != kNone) return true;
  constexpr size_t kMaxMachineWords = 4;
  const bool bare = tokens.size() <= kMaxMachineWords || line.find(" (") != kNone;
  const bool numbered = (tokens.size() > 1 && starts_like_a_version(tokens[1])) ||
                        (tokens.size() > 2 && starts_like_a_version(tokens[2]));
  return bare && numbered;
}

}  // namespace knapsack

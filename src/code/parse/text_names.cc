#include "code/parse/text_names.h"

#include <algorithm>
#include <array>

#include "code/parse/language.h"
#include "code/parse/word_list.h"
#include "core/ascii.h"
#include "core/split.h"

namespace knapsack::code {
namespace {

constexpr size_t kMaxNamedTextBytes = 120;
constexpr size_t kMinTextNameBytes = 3;

bool is_word(std::string_view text) {
  return !text.empty() && !ascii::is_digit(text.front()) &&
         std::all_of(text.begin(), text.end(), ascii::is_identifier);
}

// All parts between `separator` are words.
bool is_path(std::string_view text, char separator) {
  while (true) {
    const size_t end = text.find(separator);
    if (!is_word(text.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 1);
  }
}

// "blog_post" → "BlogPost"; "admin/blog_posts" → "Admin.BlogPosts"
std::string camel(std::string_view text) {
  std::string out;
  bool upper = true;
  for (const char c : text) {
    if (c == '/') out += '.';
    if (c != '_' && c != '/') out += upper && ascii::is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
    upper = c == '_' || c == '/';
  }
  return out;
}

// As Rails has it for most words.
std::string singular(std::string_view word) {
  if (word.ends_with("ies") && word.size() > 4) return std::string(word.substr(0, word.size() - 3)) + "y";
  for (const char* ending : {"sses", "shes", "ches", "xes"})
    if (word.ends_with(ending)) return std::string(word.substr(0, word.size() - 2));
  if (word.ends_with('s') && !word.ends_with("ss")) word.remove_suffix(1);
  return std::string(word);
}

std::optional<TextName> last_of(std::string_view path, char separator) {
  const size_t last = path.rfind(separator);
  TextName named{last == std::string_view::npos ? "" : std::string(path.substr(0, last)),
                 std::string(path.substr(last + 1))};
  std::replace(named.qualifier.begin(), named.qualifier.end(), separator, '.');
  if (named.name.size() < kMinTextNameBytes) return std::nullopt;
  return named;
}

std::optional<TextName> action(std::string_view text, size_t hash) {
  const std::string_view controller = text.substr(0, hash), name = text.substr(hash + 1);
  if (!is_path(controller, '/') || !is_word(name)) return std::nullopt;
  return TextName{camel(controller) + "Controller", std::string(name)};
}

std::optional<TextName> php_class(std::string_view text) {
  if (text.starts_with('\\')) text.remove_prefix(1);
  std::string path;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '\\') ++i;  // written twice in double quotes
    path += text[i] == '@' ? '\\' : text[i];
  }
  return is_path(path, '\\') ? last_of(path, '\\') : std::nullopt;
}

}  // namespace

std::optional<TextName> name_in_text(std::string_view literal, bool may_be_plain) {
  if (literal.size() > kMaxNamedTextBytes || literal.size() < kMinTextNameBytes) return std::nullopt;
  if (literal.front() == ':') {
    literal.remove_prefix(1);
    if (!is_word(literal)) return std::nullopt;
    return TextName{"", camel(singular(literal))};
  }
  const char quote = literal.back();
  if ((quote != '"' && quote != '\'') || literal.front() != quote) return std::nullopt;
  const std::string_view text = literal.substr(1, literal.size() - 2);
  if (const size_t hash = text.find('#'); hash != std::string_view::npos) return action(text, hash);
  if (text.find_first_of("\\@") != std::string_view::npos) return php_class(text);
  if (text.find('.') == std::string_view::npos)
    return may_be_plain && is_word(text) ? last_of(text, '.') : std::nullopt;
  if (!is_path(text, '.')) return std::nullopt;
  // Two small words with a dot between them are a file more often than anything else.
  const bool is_deep = std::count(text.begin(), text.end(), '.') > 1;
  if (!is_deep && !ascii::is_upper(text[text.rfind('.') + 1])) return std::nullopt;
  return last_of(text, '.');
}

bool is_registration(std::string_view callee, std::string_view text, std::string_view parameters) {
  constexpr size_t kMinBytes = 2;
  static constexpr std::array<std::string_view, 22> kTests = {
      "describe", "it",        "test",       "context",   "suite", "specify", "fit",   "xit",
      "xtest",    "fdescribe", "xdescribe",  "bench",     "jest",  "vi",      "QUnit", "Deno",
      "before",   "after",     "beforeEach", "afterEach", "tap",   "scenario"};
  static constexpr std::array<std::string_view, 58> kHandle = {"on",
                                                               "once",
                                                               "off",
                                                               "addListener",
                                                               "prependListener",
                                                               "addEventListener",
                                                               "emit",
                                                               "trigger",
                                                               "bind",
                                                               "delegate",
                                                               "live",
                                                               "one",
                                                               "subscribe",
                                                               "listen",
                                                               "observe",
                                                               "watch",
                                                               "$on",
                                                               "$watch",
                                                               "mock",
                                                               "doMock",
                                                               "stub",
                                                               "spyOn",
                                                               "intercept",
                                                               "step",
                                                               "tap",
                                                               "tapAsync",
                                                               "tapPromise",
                                                               "then",
                                                               "get",
                                                               "post",
                                                               "put",
                                                               "patch",
                                                               "delete",
                                                               "head",
                                                               "options",
                                                               "all",
                                                               "use",
                                                               "route",
                                                               "readFile",
                                                               "readdir",
                                                               "exec",
                                                               "spawn",
                                                               "fetch",
                                                               "request",
                                                               "getJSON",
                                                               "ensure",
                                                               "replace",
                                                               "each",
                                                               "find",
                                                               "group",
                                                               "section",
                                                               "animate",
                                                               "transition",
                                                               "startSpan",
                                                               "withSpan",
                                                               "time",
                                                               "measure",
                                                               "hook"};
  const auto is_word_of = [](char c) { return ascii::is_identifier(c) || c == '$'; };
  const auto is_name = [&](std::string_view part) {
    return !part.empty() && !ascii::is_digit(part.front()) &&
           std::all_of(part.begin(), part.end(), is_word_of);
  };
  if (text.size() < kMinBytes || text.size() > kMaxNamedTextBytes) return false;
  bool all = true;
  for_each_part(text, ".", [&](std::string_view part) { all = all && is_name(part); });
  // "package.json"
  if (!all || detect_language(text, {}).name != "text") return false;
  const auto first_end = std::find_if_not(callee.begin(), callee.end(), is_word_of);
  const auto last_start = std::find_if_not(callee.rbegin(), callee.rend(), is_word_of).base();
  const std::string_view first(callee.begin(), first_end), last(last_start, callee.end());
  if (last.empty() || is_one_of(kTests, first) || is_one_of(kTests, last) || is_one_of(kHandle, last))
    return false;
  while (!parameters.empty() && !is_word_of(parameters.front())) parameters.remove_prefix(1);
  const auto end = std::find_if_not(parameters.begin(), parameters.end(), is_word_of);
  static constexpr std::array<std::string_view, 6> kFailures = {"err", "error", "er", "e", "_err", "_error"};
  return !is_one_of(kFailures, std::string_view(parameters.begin(), end));
}

std::vector<std::string> text_spellings(std::string_view name) {
  if (!is_word(name) || !ascii::is_upper(name.front())) return {};
  std::string snake;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool begins = ascii::is_upper(name[i]) && i > 0 && !ascii::is_upper(name[i - 1]);
    if (begins) snake += '_';
    snake += ascii::lower(name[i]);
  }
  std::string plural = snake;
  if (plural.ends_with('y') && plural.size() > 2) {
    plural.pop_back();
    plural += "ies";
  } else {
    const bool hisses =
        plural.ends_with('s') || plural.ends_with('x') || plural.ends_with("ch") || plural.ends_with("sh");
    plural += hisses ? "es" : "s";
  }
  return {snake, plural};
}

}  // namespace knapsack::code

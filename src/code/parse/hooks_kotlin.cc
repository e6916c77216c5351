// Kotlin has what its grammar does not know: words of the language as names (`final = true`), `a get b`, `$$"…"`.
#include <algorithm>
#include <array>

#include "code/parse/hidden_text.h"
#include "code/parse/hooks.h"
#include "code/parse/word_list.h"

namespace knapsack::code {
namespace {

constexpr TextForms kKotlinText{
    .has_characters = true, .interpolation_mark = '$', .interpolation_open = '{', .interpolation_close = '}'};

constexpr size_t kLongestAnnotation = 200;
constexpr size_t kLongestTest = 400;

class KotlinForms {
 public:
  KotlinForms(std::string_view bytes, std::string& hidden)
      : bytes_(bytes), text_(bytes, kKotlinText, hidden) {}

  bool run() {
    hide_dollars();
    for (size_t i = 0; i < text_.words().size(); ++i) hide_word(i);
    return text_.any();
  }

 private:
  // $$"costs $5": only two in a row begin a value.
  void hide_dollars() {
    const std::string_view code = text_.code();
    for (size_t at = code.find("$$"), quote = at; at != std::string_view::npos; at = code.find("$$", quote)) {
      quote = std::min(code.find_first_not_of('$', at), code.size());
      if (quote == code.size() || code[quote] != '"') continue;
      text_.blank(at, quote);
      // What stands in a string is blank in the code, up to its last quote.
      for (++quote; quote < code.size() && code[quote] != '"'; ++quote)
        if (bytes_[quote] == '$') text_.replace(quote, "_");
    }
  }

  void hide_word(size_t number) {
    const std::string_view word = text_.word(number);
    const ByteRange place = text_.words()[number];
    const char left = text_.before(place.start), right = text_.behind(place.end);
    const char next = place.end < text_.code().size() ? text_.code()[place.end] : '\0';
    if (is_one_of(kModifiers, word) && (next == '(' || is_name(left, right, next))) {
      text_.rename(place);
    } else if (is_one_of(kAccessors, word)) {
      if (next != '(' && is_name(left, right, next)) return text_.rename(place);
      hide_accessor(number, left, right, next);
    } else if (word == "suspend" && right == '{') {
      text_.blank(place.start, place.end);
    } else if (word == "if" && begins_test(number)) {
      const size_t arrow = text_.code().substr(place.end, kLongestTest).find("->");
      if (arrow != std::string_view::npos) text_.blank(place.start, place.end + arrow);
    } else if (word == "constructor" && number > 0) {
      const bool has_modifier = text_.word(number - 1) == "internal" || text_.word(number - 1) == "private";
      hide_annotation(text_.words()[has_modifier ? number - 1 : number].start);
    } else if (is_one_of(kOtherPlatforms, word) && number + 1 < text_.words().size() &&
               text_.word(number + 1) == "constructor") {
      text_.blank(place.start, place.end);
    } else if (word == "context" && next == '(' &&
               (left == '\0' || left == '}' || begins_line(place.start))) {
      hide_context(place.start, text_.after_brackets(place.end));
    } else if (has_word_before_digits(word)) {
      text_.rename(place);
    }
  }

  // "is Name if x > 1 ->": what a branch asks beside the type.
  bool begins_test(size_t number) const {
    const size_t start = text_.words()[number].start;
    const size_t reach = start - std::min(start, kLongestTest);
    std::string_view before = text_.code().substr(reach, start - reach);
    before = ascii::trim_space(before.substr(before.rfind('\n') + 1));
    return before.starts_with("is ") || before.starts_with("!is ");
  }

  // "in1.close()" on a line of its own is read as `in`.
  static bool has_word_before_digits(std::string_view word) {
    return word.size() > 2 && (word.starts_with("in") || word.starts_with("is") || word.starts_with("as")) &&
           std::all_of(word.begin() + 2, word.end(), ascii::is_digit);
  }

  // A modifier stands before another word.
  static bool is_name(char left, char right, char next) {
    if (left == '@') return false;
    return next == '.' || next == ')' || next == ',' || next == ']' || next == '?' || next == '!' ||
           next == ':' || right == '=' || right == '+' || right == '-' || right == '<' || right == '!' ||
           left == '!' || left == '.' || left == '=';
  }

  // "x get y" and `get(x)` call functions; `get() = 1` belongs to a property, whatever annotations stand before it.
  void hide_accessor(size_t number, char left, char right, char next) {
    const ByteRange place = text_.words()[number];
    if (next == ' ' && (is_identifier(right) || right == '(') && !begins_line(place.start) &&
        (is_identifier(left) || left == '}' || left == ')' || left == ']')) {
      text_.rename(place);
    } else if (next == '(') {
      const size_t behind = text_.after_brackets(place.end);
      const char follows = text_.behind(behind);
      if (follows == '{' || follows == '=' || follows == ':' || behind == place.end + 2) {
        hide_annotation(place.start);
      } else {
        text_.rename(place);
      }
    }
  }

  // The annotation that stands directly before this place, on a line of its own or not.
  void hide_annotation(size_t at) {
    const std::string_view code = text_.code().substr(0, at);
    const size_t end = code.find_last_not_of(" \t\r\n") + 1;
    const size_t reach = end - std::min(end, kLongestAnnotation);
    const size_t sign = code.substr(reach, end - reach).rfind('@');
    if (sign == std::string_view::npos) return;
    size_t behind = reach + sign + 1;
    while (behind < end && (is_identifier(code[behind]) || code[behind] == '.')) ++behind;
    if (behind < end && code[behind] == '(') behind = text_.after_brackets(behind);
    if (behind == end) text_.blank(reach + sign, end);
  }

  // Parameters that a function takes from its surroundings: `context(log: Logger) fun f()`.
  void hide_context(size_t start, size_t end) {
    for (const std::string_view keyword : kDeclarations) {
      const size_t at = text_.code().find_first_not_of(" \t\r\n", end);
      if (at == std::string_view::npos || !text_.code().substr(at).starts_with(keyword)) continue;
      text_.blank(start, end);
      return;
    }
  }

  bool begins_line(size_t at) const {
    while (at > 0 && (text_.code()[at - 1] == ' ' || text_.code()[at - 1] == '\t')) --at;
    return at == 0 || text_.code()[at - 1] == '\n';
  }

  static constexpr std::array<std::string_view, 22> kModifiers = {
      "abstract", "actual", "annotation", "by",       "const",  "data",     "enum", "expect",
      "external", "final",  "infix",      "inline",   "inner",  "lateinit", "open", "out",
      "sealed",   "value",  "tailrec",    "operator", "vararg", "where"};
  static constexpr std::array<std::string_view, 2> kAccessors = {"get", "set"};
  static constexpr std::array<std::string_view, 2> kOtherPlatforms = {"actual", "expect"};
  static constexpr std::array<std::string_view, 9> kDeclarations = {
      "fun ", "val ", "var ", "inline ", "private ", "internal ", "public ", "override ", "suspend "};

  const std::string_view bytes_;
  HiddenText text_;
};

bool hide_kotlin_forms(std::string_view bytes, std::string& hidden) {
  return KotlinForms(bytes, hidden).run();
}

}  // namespace

const LanguageHooks kKotlinHooks = {.blank_unknown = hide_kotlin_forms};

}  // namespace knapsack::code

// Swift has what its grammar does not know: directives around members, `throws(E)`, `sending`, `(())`.
#include <algorithm>
#include <array>

#include "code/parse/hidden_text.h"
#include "code/parse/hooks.h"
#include "code/parse/word_list.h"

namespace knapsack::code {
namespace {

constexpr TextForms kSwiftText{
    .interpolation_mark = '\\', .interpolation_open = '(', .interpolation_close = ')'};

class SwiftForms {
 public:
  SwiftForms(std::string_view bytes, std::string& hidden) : text_(bytes, kSwiftText, hidden) {}

  bool run() {
    hide_lines();
    for (size_t i = 0; i < text_.words().size(); ++i) hide_word(i);
    return text_.any();
  }

 private:
  // Directives: what they choose between stays, all of it. And the value that is nothing, which becomes another one.
  void hide_lines() {
    const std::string_view code = text_.code();
    for (size_t start = 0; start < code.size();) {
      const size_t end = std::min(code.find('\n', start), code.size());
      const std::string_view line = ascii::trim_space(code.substr(start, end - start));
      const bool is_directive = std::any_of(kDirectives.begin(), kDirectives.end(),
                                            [&](std::string_view each) { return line.starts_with(each); });
      if (is_directive) text_.blank(start, end);
      if (line == "()" || line == "return ()") text_.replace(start + code.substr(start).find("()"), "0 ");
      start = end + 1;
    }
    for (size_t at = code.find("()"); at != std::string_view::npos; at = code.find("()", at + 2)) {
      const char left = text_.before(at), right = text_.behind(at + 2);
      if ((left == '(' || left == ',' || left == ':') && (right == ')' || right == ','))
        text_.replace(at, "0 ");
    }
    hide_signs();
  }

  // Signs in names, `_$id` and `#_file`, and the one before a path of cases, `/State.child`.
  void hide_signs() {
    const std::string_view code = text_.code();
    for (size_t at = 1; at + 1 < code.size(); ++at) {
      if ((code[at] == '$' && is_identifier(code[at - 1])) || code.substr(at).starts_with("#_"))
        text_.replace(at, "x");
      if (code[at] != '/' || !ascii::is_upper(code[at + 1])) continue;
      const char left = text_.before(at);
      if (left == '(' || left == ':' || left == ',') text_.blank(at, at + 1);
    }
  }

  void hide_word(size_t number) {
    const std::string_view word = text_.word(number);
    const ByteRange place = text_.words()[number];
    const std::string_view before = number > 0 ? text_.word(number - 1) : std::string_view();
    const char left = text_.before(place.start), right = text_.behind(place.end);
    if (word == "throws" && right == '(') {
      const size_t open = text_.code().find('(', place.end);
      text_.blank(open, text_.after_brackets(open));
    } else if (word == "await" && before == "try" && !is_loop(number)) {
      text_.blank(place.start, place.end);
    } else if (word == "nonisolated" && text_.code().substr(place.end).starts_with("(unsafe)")) {
      text_.blank(place.start, place.end + 8);
    } else if (is_one_of(kOfTypes, word) && is_type_place(left) && begins_type(right)) {
      text_.blank(place.start, place.end);
    } else if (is_one_of(kOfValues, word) && number + 1 < text_.words().size() &&
               text_.is_apart_by_blanks(place.end, text_.words()[number + 1].start)) {
      text_.blank(place.start, place.end);
    } else if (word == "borrowing" && number + 1 < text_.words().size() && text_.word(number + 1) == "get") {
      text_.blank(place.start, place.end);
    } else if ((word == "_modify" || word == "_read") && right == '{') {
      text_.replace(place.start, word == "_read" ? "get  " : "set    ");
    } else if ((word.starts_with('_') || word == "lifetime") && left == '@' && right == '(') {
      text_.blank(place.start - 1, text_.after_brackets(text_.code().find('(', place.end)));
    } else if (word == "isolation" && left == '#') {
      const std::string_view before_sign = text_.code().substr(0, place.start - 1);
      if (before_sign.ends_with("= ")) text_.blank(before_sign.size() - 2, place.end);
    }
  }

  // `for try await x in y` is known.
  bool is_loop(size_t number) const { return number > 1 && text_.word(number - 2) == "for"; }
  static bool is_type_place(char left) { return left == ':' || left == '>' || left == '(' || left == ','; }
  static bool begins_type(char right) { return is_identifier(right) || right == '(' || right == '['; }

  static constexpr std::array<std::string_view, 6> kDirectives = {"#if",    "#elseif", "#else",
                                                                  "#endif", "#error",  "#warning"};
  static constexpr std::array<std::string_view, 2> kOfTypes = {"isolated", "sending"};
  static constexpr std::array<std::string_view, 3> kOfValues = {"consume", "discard", "unsafe"};

  HiddenText text_;
};

bool hide_swift_forms(std::string_view bytes, std::string& hidden) {
  return SwiftForms(bytes, hidden).run();
}

}  // namespace

const LanguageHooks kSwiftHooks = {.blank_unknown = hide_swift_forms};

}  // namespace knapsack::code

#include <algorithm>
#include <array>
#include <unordered_set>
#include <vector>

#include "code/parse/hooks.h"
#include "code/parse/source_text.h"
#include "code/parse/word_list.h"
#include "core/ascii.h"

namespace knapsack::code {
namespace {

using ascii::trim_space;

// Before one of these no other word stands that is not of the language itself.
constexpr std::array<std::string_view, 26> kBegins = {
    "auto",   "bool",     "char",    "class", "constexpr", "double",    "enum",    "explicit", "extern",
    "float",  "friend",   "inline",  "int",   "long",      "namespace", "short",   "signed",   "static",
    "struct", "template", "typedef", "union", "unsigned",  "using",     "virtual", "void"};
// What may stand there.
constexpr std::array<std::string_view, 70> kOwnWords = {
    "_Alignas",  "_Atomic",   "_Noreturn", "_Thread_local", "alignas",   "and",      "auto",     "bool",
    "case",      "char",      "class",     "co_await",      "co_return", "co_yield", "concept",  "const",
    "consteval", "constexpr", "constinit", "decltype",      "default",   "delete",   "do",       "double",
    "else",      "enum",      "explicit",  "export",        "extern",    "final",    "float",    "for",
    "friend",    "goto",      "if",        "inline",        "int",       "long",     "mutable",  "namespace",
    "new",       "noexcept",  "not",       "operator",      "or",        "override", "private",  "protected",
    "public",    "register",  "requires",  "restrict",      "return",    "short",    "signed",   "sizeof",
    "static",    "struct",    "template",  "thread_local",  "throw",     "typedef",  "typename", "union",
    "unsigned",  "using",     "virtual",   "void",          "volatile",  "while"};
constexpr std::array<std::string_view, 3> kTypeWords = {"class", "struct", "union"};
constexpr std::array<std::string_view, 3> kAccesses = {"public", "protected", "private"};
constexpr std::array<std::string_view, 3> kNamedOperators = {"co_await", "delete", "new"};
constexpr std::array<std::string_view, 10> kTypes = {"bool", "char",  "double", "float",    "int",
                                                     "long", "short", "signed", "unsigned", "void"};
constexpr std::string_view kParameter = "int = 0";
constexpr size_t kTemplateLines = 4;  // that a list of parameters takes
constexpr size_t kLeastLetters = 3;

// "Q_OBJECT": no lower case.
bool is_capital(std::string_view word) {
  return word.size() >= kLeastLetters && !ascii::is_digit(word[0]) &&
         std::none_of(word.begin(), word.end(),
                      [](char c) { return ascii::is_lower(c) || ascii::is_above(c); });
}

std::string_view first_word(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && is_identifier(text[end])) ++end;
  return text.substr(0, end);
}

// A line as far as it is code: without blanks around it and without a comment.
struct Line {
  std::string_view code;
  bool is_directive = false;
};

class Blanker {
 public:
  Blanker(std::string_view bytes, std::string& blanked) : bytes_(bytes), blanked_(blanked) {}

  bool run() {
    read_lines();
    for (const Line& line : lines_)
      if (!line.is_directive) find_types(line.code);
    for (size_t i = 0; i < lines_.size(); ++i) {
      const Line& line = lines_[i];
      if (line.code.empty()) continue;
      if (!line.is_directive) replace_conditions(line.code, i);
      if (line.is_directive || !blank_line(line.code, next_code(i)))
        last_ = line.is_directive ? ';' : line.code.back();
      if (line.is_directive) continue;
      blank_words(line.code);
      blank_before_type(line.code);
    }
    return any_;
  }

 private:
  void read_lines() {
    bool is_comment = false, goes_on = false;
    for (size_t start = 0; start <= bytes_.size();) {
      const size_t end = std::min(bytes_.find('\n', start), bytes_.size());
      Line line;
      std::string_view text = trim_space(bytes_.substr(start, end - start));
      const bool was_comment = is_comment;
      if (is_comment) {
        const size_t close = text.find("*/");
        is_comment = close == std::string_view::npos;
        text = is_comment ? std::string_view() : trim_space(text.substr(close + 2));
      }
      if (const size_t open = text.find("/*"); !is_comment && open != std::string_view::npos) {
        is_comment = text.find("*/", open + 2) == std::string_view::npos;
        if (is_comment || open == 0) text = trim_space(text.substr(0, open));
      }
      line.code = trim_space(text.substr(0, text.find("//")));
      line.is_directive = goes_on || (!was_comment && line.code.starts_with('#'));
      goes_on = line.is_directive && line.code.ends_with('\\');
      lines_.push_back(line);
      start = end + 1;
    }
  }

  // What "class Name" or "struct API Name" is called.
  void find_types(std::string_view code) {
    std::string_view before;
    for (size_t at = 0; at < code.size();) {
      const std::string_view word = first_word(code.substr(at));
      if (!word.empty() && is_one_of(kTypeWords, before)) {
        const std::string_view next = first_word(trim_space(code.substr(at + word.size())));
        types_.insert(is_capital(word) && !next.empty() ? next : word);
      }
      if (!word.empty() || !is_space(code[at])) before = word;
      at += std::max<size_t>(word.size(), 1);
    }
  }

  std::string_view next_code(size_t line) const {
    for (size_t i = line + 1; i < lines_.size(); ++i)
      if (!lines_[i].code.empty()) return lines_[i].code;
    return {};
  }

  // A macro that is all of its line, between two statements or members.
  bool blank_line(std::string_view code, std::string_view next) {
    const std::string_view word = first_word(code);
    const std::string_view rest = trim_space(code.substr(word.size()));
    if (rest == ":" && (is_capital(word) || word == "signals")) return blank(code);
    if (rest.ends_with(':') && is_one_of(kAccesses, word)) {
      const std::string_view slots = first_word(rest);
      if (!slots.empty() && trim_space(rest.substr(slots.size())) == ":") blank(slots);
      return false;
    }
    if (!is_capital(word) || std::string_view(";}{:>").find(last_) == std::string_view::npos) return false;
    const bool has_arguments = rest.starts_with('(');
    if (has_arguments && rest.ends_with(';') && names_a_type(rest)) return blank(code);
    if (!rest.empty() && (!has_arguments || closing(rest) + 1 != rest.size())) return false;
    const char after = next.empty() ? '\0' : next[0];
    const bool is_between = next.empty() || is_identifier(after) || after == '#' || after == '~' ||
                            after == '[' || (after == '}' && has_arguments && last_ != '{');
    return is_between && blank(code);
  }

  // "(unsigned short, short);": no call has such arguments.
  static bool names_a_type(std::string_view rest) {
    const size_t close = closing(rest);
    if (close + 2 != rest.size()) return false;
    for (size_t at = 1; at <= close;) {
      const size_t end = std::min(rest.find(',', at), close);
      std::string_view argument = trim_space(rest.substr(at, end - at));
      const bool is_type = is_one_of(kTypes, first_word(argument));
      while (is_one_of(kTypes, first_word(argument)))
        argument = trim_space(argument.substr(first_word(argument).size()));
      if (is_type && (argument.empty() || argument == "*" || argument == "&")) return true;
      at = end + 1;
    }
    return false;
  }

  // "template <class T, ENABLE_IF(is_small<T>())>": a condition becomes a parameter.
  void replace_conditions(std::string_view code, size_t line) {
    if (!code.starts_with("template") && (last_ != ',' || !is_in_template(line))) return;
    for (size_t at = 0; at < code.size();) {
      const std::string_view word = first_word(code.substr(at));
      const std::string_view rest = code.substr(at + word.size());
      at += std::max<size_t>(word.size(), 1);
      if (!is_capital(word) || !rest.starts_with('(')) continue;
      const size_t close = closing(rest);
      if (close == std::string_view::npos) return;
      const std::string_view condition(word.data(), word.size() + close + 1);
      const bool is_last = rest.substr(close + 1).starts_with('>');
      if (is_last && condition.size() >= kParameter.size()) replace(condition, kParameter);
      at += close + 1;  // what stands in it is looked at once
    }
  }
  bool is_in_template(size_t line) const {
    for (size_t back = 1; back <= std::min(line, kTemplateLines); ++back)
      if (lines_[line - back].code.starts_with("template")) return true;
    return false;
  }

  static size_t closing(std::string_view text) {
    int depth = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
      if (depth == 0) return i;
    }
    return std::string_view::npos;
  }

  // A word before what begins a declaration, and the one between `class` and its name.
  void blank_words(std::string_view code) {
    std::string_view two_before, before;  // the two words in front
    char joint = ' ';  // what stands between the nearer of them and this one, if more than blanks
    for (size_t at = 0; at < code.size();) {
      const char c = code[at];
      if (c == '"' || c == '\'') {
        at = after_quote(code, at);
        joint = c;
        continue;
      }
      if (!is_identifier(c)) {
        if (!is_space(c)) joint = c;
        ++at;
        continue;
      }
      const std::string_view word = first_word(code.substr(at));
      const bool follows = joint == ' ' && !before.empty();
      if (follows && is_one_of(kBegins, word) && !ascii::is_digit(before[0]) &&
          !is_one_of(kOwnWords, before)) {
        blank(before);
      } else if (follows && is_one_of(kTypeWords, two_before) && is_capital(before) &&
                 !is_one_of(kOwnWords, word) && begins_body(code.substr(at + word.size()))) {
        blank(before);
      } else if (follows && before == "if" && is_capital(word) &&
                 trim_space(code.substr(at + word.size())).starts_with('(')) {
        blank(word);
      }
      two_before = joint == ' ' ? before : std::string_view();
      before = word;
      joint = ' ';
      at += word.size();
    }
  }

  // "INLINE_FN result document::get(": a type and a name are all that stands before parameters beside words of the
  // language.
  void blank_before_type(std::string_view code) {
    std::vector<std::string_view> names;  // with their arguments, stars and the like
    size_t at = code.starts_with("template") ? after_arguments(code, 8) : 0;
    while (at < code.size() && (is_space(code[at]) || is_identifier(code[at]))) {
      const std::string_view word = first_word(code.substr(at));
      size_t end = at + std::max<size_t>(word.size(), 1);
      if (!word.empty() && (!is_one_of(kOwnWords, word) || word == "operator")) {
        end = word == "operator" ? std::min(code.find('(', end), code.size()) : end_of_name(code, end);
        names.push_back(code.substr(at, end - at));
      }
      at = end;
    }
    if (at >= code.size()) return;
    if (names.size() == 1 && code[at] == '~' && is_capital(names[0])) blank(names[0]);
    if (names.empty() || code[at] != '(') return;
    const std::string_view name = names.back();
    if (names.size() > 1 || ends_with_type(code.substr(0, static_cast<size_t>(name.data() - code.data()))))
      blank_behind_parameters(code.substr(at));
    if (names.size() == 2 && is_word(names[0]) && needs_no_type(name)) blank(names[0]);
    for (size_t i = 0; i + 2 < names.size(); ++i)
      if (is_word(names[i])) blank(names[i]);
  }

  // Without arguments, stars and the like.
  static bool is_word(std::string_view name) {
    return first_word(name).size() == name.size() && !ascii::is_digit(name[0]);
  }

  // "static int ": what may stand before the name of a function.
  static bool ends_with_type(std::string_view code) {
    code = trim_space(code);
    size_t start = code.size();
    while (start > 0 && is_identifier(code[start - 1])) --start;
    return is_one_of(kTypes, code.substr(start));
  }

  // A constructor, or "operator int".
  bool needs_no_type(std::string_view name) const {
    const std::string_view word = first_word(name);
    if (word != "operator") return word.size() == name.size() && types_.contains(word);
    const std::string_view type = first_word(trim_space(name.substr(word.size())));
    return !type.empty() && !is_one_of(kNamedOperators, type);
  }

  // "int f(char*, ...) PRINTF_LIKE(1, 2);"
  void blank_behind_parameters(std::string_view parameters) {
    const size_t close = closing(parameters);
    if (close == std::string_view::npos) return;
    const std::string_view rest = trim_space(parameters.substr(close + 1));
    const std::string_view word = first_word(rest);
    if (word.empty() || ascii::is_digit(word[0]) || is_one_of(kOwnWords, word)) return;
    std::string_view end = trim_space(rest.substr(word.size()));
    const size_t arguments = end.starts_with('(') ? closing(end) : std::string_view::npos;
    if (arguments != std::string_view::npos) end = end.substr(arguments + 1);
    const std::string_view after = trim_space(end);
    if (after.empty() || after == ";" || after == "{") blank(rest.substr(0, rest.size() - end.size()));
  }

  // Behind "::get", "<T>", "&" and the like that belong to the name which ends here.
  static size_t end_of_name(std::string_view code, size_t end) {
    for (;;) {
      if (code.substr(end).starts_with("::")) {
        end += 2;
        if (end < code.size() && code[end] == '~') ++end;
        end += first_word(code.substr(end)).size();
      } else if (end < code.size() && code[end] == '<') {
        end = after_arguments(code, end);
      } else if (end < code.size() && (code[end] == '*' || code[end] == '&')) {
        ++end;
      } else {
        return end;
      }
    }
  }

  // Behind the arguments of a template that begin here, blanks before them or not; the end where they go on elsewhere.
  static size_t after_arguments(std::string_view code, size_t at) {
    int depth = 0;
    for (; at < code.size(); ++at) {
      depth += code[at] == '<' ? 1 : code[at] == '>' ? -1 : 0;
      if (depth == 0 && !is_space(code[at])) return code[at] == '>' ? at + 1 : at;
    }
    return code.size();
  }

  static bool begins_body(std::string_view rest) {
    rest = trim_space(rest);
    return rest.empty() || rest[0] == '{' || (rest[0] == ':' && !rest.starts_with("::")) ||
           first_word(rest) == "final";
  }

  static size_t after_quote(std::string_view code, size_t open) {
    for (size_t i = open + 1; i < code.size(); ++i) {
      if (code[i] == '\\') {
        ++i;
      } else if (code[i] == code[open]) {
        return i + 1;
      }
    }
    return code.size();
  }

  void replace(std::string_view word, std::string_view other) {
    blank(word);
    std::copy(other.begin(), other.end(), blanked_.begin() + (word.data() - bytes_.data()));
  }

  bool blank(std::string_view word) {
    if (!any_) blanked_.assign(bytes_);
    any_ = true;
    std::fill_n(blanked_.begin() + (word.data() - bytes_.data()), word.size(), ' ');
    return true;
  }

  std::string_view bytes_;
  std::string& blanked_;
  std::vector<Line> lines_;
  std::unordered_set<std::string_view> types_;
  char last_ = ';';
  bool any_ = false;
};

}  // namespace

bool blank_c_macros(std::string_view bytes, std::string& blanked) {
  return Blanker(bytes, blanked).run();
}

}  // namespace knapsack::code

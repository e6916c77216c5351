#include "understand/traces/error_lines.h"

#include <algorithm>
#include <array>

#include "core/ascii.h"
#include "text/markdown/markdown_lines.h"
#include "text/unicode/utf8.h"

namespace knapsack {
namespace {

using ascii::kNone;
using std::string_view;

bool in_exception_name(char c) {
  return ascii::is_identifier(c) || c == '.' || c == '\\' || c == '$';
}

// The dotted name at the start of a text; "::" joins names as well (Ruby, C++, Rust).
string_view leading_name(string_view text) {
  size_t end = 0;
  while (end < text.size()) {
    if (in_exception_name(text[end])) {
      ++end;
    } else if (text.substr(end).starts_with("::") && end + 2 < text.size() &&
               ascii::is_letter(text[end + 2])) {
      end += 2;
    } else {
      break;
    }
  }
  return text.substr(0, end);
}

// `: message`, the end, or Node's ` [ERR_CODE]: message` behind a name.
bool message_follows(string_view behind) {
  if (behind.empty() || behind == ":" || behind.starts_with(": ")) return true;
  if (!behind.starts_with(" [")) return false;
  const size_t close = behind.find(']');
  return close != kNone && behind.substr(close + 1).starts_with(':');
}

// What programs print in front of the name of an exception. Longer ones before those that begin them.
constexpr std::array<string_view, 17> kPrefixes = {
    "Caused by: ",
    "Suppressed: ",
    "Uncaught exception: ",
    "Uncaught ",
    "Unhandled exception. ",
    "Unhandled exception: ",
    "Unhandled Exception: ",
    "Unhandled ",
    "PHP Fatal error: ",
    "Fatal error: ",
    "[ERROR] ",
    "ERROR: ",
    "ERROR ",
    "---> ",
    "(in promise) ",
    "thrown: ",
    "** (",
};

string_view without_prefixes(string_view line) {
  constexpr int kMaxPrefixes = 4;  // "PHP Fatal error:  Uncaught …" is two
  for (int i = 0; i < kMaxPrefixes; ++i) {
    line = trim(line);
    const auto prefix = std::find_if(kPrefixes.begin(), kPrefixes.end(),
                                     [line](string_view candidate) { return line.starts_with(candidate); });
    if (prefix != kPrefixes.end()) {
      line.remove_prefix(prefix->size());
    } else if (constexpr string_view kThread = "Exception in thread \""; line.starts_with(kThread)) {
      line.remove_prefix(std::min(line.find('"', kThread.size()), line.size() - 1) + 1);
    } else {
      break;
    }
  }
  return trim(line);
}

// `error: …`, `fatal error: …`, `error[E0382]: …`, `error TS2345: …` at the start of a text.
bool is_compiler_error(string_view text) {
  if (ascii::starts_with_ignoring_case(text, "fatal ")) text.remove_prefix(6);
  if (!ascii::starts_with_ignoring_case(text, "error")) return false;
  text.remove_prefix(5);
  if (text.starts_with(": "))
    return text.find_last_of(",;{") != text.size() - 1;  // not a field of a structure
  const bool coded = text.starts_with('[') || text.starts_with(" TS") || text.starts_with(" CS");
  return coded && text.find(": ") < 16;  // codes are short
}

// The message behind the place of a compiler's, linter's or type checker's line: `a.cc:3:1: error: …`,
// `a.ts(3,1): error TS1: …`, `a.ts:3:1 - error TS1: …`
string_view diagnosed(string_view line) {
  const size_t end = line.find_first_of(" \t");
  if (end == kNone || end == 0) return {};
  string_view rest = trim(line.substr(end));
  if (rest.starts_with("- "))
    rest = trim(rest.substr(2));
  else if (line[end - 1] != ':')
    return {};
  return is_compiler_error(rest) && line.find_first_of(".:") < end ? rest : string_view();
}

}  // namespace

std::string cut_error(string_view message) {
  return std::string(utf8_prefix(trim(message), kMaxErrorBytes));
}

bool is_exception_name(string_view word) {
  const size_t separator = word.find_last_of(".\\:$");
  const string_view name = separator == kNone ? word : word.substr(separator + 1);
  if (name.empty() || !ascii::is_upper(name[0])) return false;
  if (name == "Error" || name == "Exception") return true;
  constexpr std::array<string_view, 8> kEndings = {"Error",     "Exception", "Warning", "Fault",
                                                   "Interrupt", "Failure",   "Exit",    "Panic"};
  return std::any_of(kEndings.begin(), kEndings.end(), [name](string_view ending) {
    return name.size() > ending.size() && name.ends_with(ending) &&
           ascii::is_identifier(name[name.size() - ending.size() - 1]);
  });
}

bool is_name_and_message(string_view line) {
  const string_view name = leading_name(line);
  return !name.empty() && ascii::is_letter(name[0]) && message_follows(line.substr(name.size()));
}

std::string error_of_line(string_view line) {
  const bool indented = !line.empty() && ascii::is_blank(line[0]);
  string_view text = trim(line);
  if (text.starts_with("E   ")) text = trim(text.substr(1));
  if (text.starts_with("FAILED ") && text.find(" - ") != kNone)
    text = trim(text.substr(text.find(" - ") + 3));
  text = without_prefixes(text);
  if (text.empty()) return {};

  const string_view name = leading_name(text);
  const bool elixir = text.size() > name.size() && text[name.size()] == ')';  // `** (ArithmeticError) bad …`
  if (is_exception_name(name) && (message_follows(text.substr(name.size())) || elixir)) {
    if (elixir) return cut_error(std::string(name) + ": " + std::string(trim(text.substr(name.size() + 1))));
    return cut_error(text);
  }
  constexpr std::array<string_view, 7> kOpenings = {"panic: ",
                                                    "AddressSanitizer: ",
                                                    "Segmentation fault",
                                                    "what():  ",
                                                    "terminate called after throwing",
                                                    "Ошибка: ",
                                                    "ошибка: "};
  for (const string_view opening : kOpenings)
    if (text.starts_with(opening)) return cut_error(text);
  if (text.starts_with("==")) {
    const size_t error = text.find("==ERROR: ");
    if (error != kNone && error < 16)
      return cut_error(text.substr(error + 9));  // a process id between the marks
  }
  if (!indented && is_compiler_error(text)) return cut_error(text);
  return cut_error(diagnosed(text));
}

std::string error_in_sentence(string_view text) {
  for (size_t colon = text.find(": "); colon != kNone; colon = text.find(": ", colon + 2)) {
    size_t begin = colon;
    while (begin > 0 && in_exception_name(text[begin - 1])) --begin;
    if (!is_exception_name(text.substr(begin, colon - begin))) continue;
    string_view message = text.substr(begin);
    message = message.substr(0, message.find('\n'));
    message = message.substr(0, message.find(". "));
    return cut_error(message);
  }
  return {};
}

}  // namespace knapsack

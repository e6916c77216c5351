#include "code/units/empty_bodies.h"

#include <algorithm>
#include <string>

#include "core/ascii.h"

namespace knapsack::code {
namespace {

// More lines than this do something.
constexpr uint32_t kLongestEmpty = 12;

bool is_nothing(std::string_view statement) {
  constexpr std::string_view kNothing[] = {"", "pass", "...", "end", "{", "}", "{}", "{ }", ";"};
  return std::find(std::begin(kNothing), std::end(kNothing), statement) != std::end(kNothing);
}

// `raise NotImplementedError("…")`, `throw new UnsupportedOperationException()`, `todo!()`.
bool says_not_implemented(std::string_view statement) {
  if (statement.starts_with("todo!(") || statement.starts_with("unimplemented!(")) return true;
  if (!statement.starts_with("raise ") && !statement.starts_with("throw ")) return false;
  const std::string_view what = statement.substr(0, statement.find('('));
  return what.find("NotImplemented") != what.npos || what.find("UnsupportedOperation") != what.npos;
}

std::string_view without_remark(std::string_view line) {
  for (const std::string_view mark : {"  #", " //", " /*"}) {
    const size_t at = line.find(mark);
    if (at != line.npos) line = line.substr(0, at);
  }
  return ascii::trim_space(line);
}

// What a line has behind the parameters and the type that a function gives; everything before is read already.
std::string_view behind_head(std::string_view line) {
  const size_t close = line.rfind(')');
  if (close != line.npos) line = line.substr(close + 1);
  const size_t body = line.find_first_of(":{");
  const bool begins_body = body != line.npos && line.substr(body, 2) != "::";
  return ascii::trim_space(begins_body ? line.substr(line[body] == ':' ? body + 1 : body)
                                       : std::string_view());
}

}  // namespace

bool is_without_body(const TextLines& text, const Symbol& function) {
  if (function.is_declaration) return true;
  const auto is_documentation = [&](uint32_t line) {
    return function.doc_start_line > 0 && function.doc_start_line <= line && line <= function.doc_end_line;
  };
  const uint32_t last = std::min(function.end_line, text.count());
  int open = 0;
  bool in_head = true;
  uint32_t statements = 0, lines = 0;
  for (uint32_t line = std::max(function.start_line, function.name_line); line <= last; ++line) {
    if (is_documentation(line) || text.is_blank(line)) continue;
    if (++lines > kLongestEmpty) return false;
    std::string_view statement = without_remark(text.line(line));
    if (in_head) {
      for (const char c : statement) open += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (open > 0) continue;
      in_head = false;
      statement = behind_head(statement);
    } else if (statement.empty() || is_remark(statement)) {
      continue;
    }
    if (is_nothing(statement)) continue;
    if (!says_not_implemented(statement) || ++statements > 1) return false;
  }
  return !in_head;
}

}  // namespace knapsack::code

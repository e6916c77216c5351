#include "code/parse/symbol_names.h"

#include "code/parse/source_text.h"
#include "core/ascii.h"

namespace knapsack::code {

std::string clean_name(std::string_view text, SymbolKind kind) {
  const bool is_literal = text.starts_with('"') || text.starts_with('\'') || text.starts_with('`');
  if (is_literal) return std::string(cut_utf8(ascii::trim_space(unquote(text)), kMaxNameBytes));
  std::string name = fold(text, {0, static_cast<uint32_t>(text.size())}, {}, kMaxNameBytes);
  // "operator bool() const" ends before its parameters, "operator()" is all name.
  constexpr std::string_view kOperator = "operator ";
  const size_t bracket = name.find('(');
  if (name.starts_with(kOperator) && bracket != std::string::npos && bracket > kOperator.size())
    name.resize(bracket);
  // Symbols of Ruby, atoms and keywords of Elixir.
  if (name.size() > 1 && name.starts_with(':')) name.erase(0, 1);
  if (kind == SymbolKind::kField && name.ends_with(':')) name.pop_back();
  return name;
}

std::string normalise_name(std::string_view name) {
  std::string plain;
  int depth = 0;
  for (const char c : name) {
    if (c == '<' || c == '[' || c == '(') ++depth;
    if (depth == 0 && !is_space(c) && c != '*' && c != '&') {
      const bool is_separator = c == ':' || c == '\\' || c == '#' || c == '/' || c == '.';
      if (!is_separator) {
        plain += c;
      } else if (!plain.empty() && plain.back() != '.') {
        plain += '.';
      }
    }
    if ((c == '>' || c == ']' || c == ')') && depth > 0) --depth;
  }
  while (plain.ends_with('.')) plain.pop_back();
  return plain;
}

std::string join_name(std::string_view parent, std::string_view separator, std::string_view name) {
  std::string joined(parent);
  if (!joined.empty()) joined += separator;
  joined += name;
  return joined;
}

std::string with_separator(std::string_view dotted, std::string_view separator) {
  std::string text;
  for (const char c : dotted) {
    if (c == '.') {
      text += separator;
    } else {
      text += c;
    }
  }
  return text;
}

bool is_upper_case(std::string_view name) {
  size_t capitals = 0;
  for (const char c : name) {
    if (ascii::is_lower(c)) return false;
    if (ascii::is_upper(c)) ++capitals;
  }
  return capitals > 1;
}

}  // namespace knapsack::code

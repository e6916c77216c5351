#include "engine/recipes/code/unit_forms.h"

#include <algorithm>

#include "code/parse/source_text.h"

namespace knapsack {
namespace {

// Of a signature so much is shown, and always its name.
constexpr size_t kSignatureBytes = 120;
// A definition that takes more lines than this before its body is shown by its first alone.
constexpr uint32_t kOpeningLines = 8;

}  // namespace

using stages::SelectedSymbol;

LineRange opening_lines(const SelectedSymbol& symbol, const CandidateGroup& group) {
  const uint32_t first = symbol.signature_line;
  int open = 0;
  for (uint32_t last = first; last <= symbol.lines.last && last < first + kOpeningLines; ++last) {
    for (const char c : group.lines({last, last})) open += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (open <= 0) return {first, last};
  }
  return {first, first};
}

std::vector<LineRange> telling_parts(const SelectedSymbol& symbol) {
  std::vector<LineRange> parts;
  if (symbol.focus.first == 0) return parts;
  const uint32_t long_enough = symbol.lines.last - symbol.lines.first + 1;
  const uint32_t lines = symbol.focus.last - symbol.focus.first + 1;
  for (const uint32_t times : {4, 2, 1}) {
    if (times > 1 && lines * times >= long_enough) continue;
    const uint32_t around = lines * (times - 1) / 2;
    const uint32_t above = std::min(around, symbol.focus.first - symbol.lines.first);
    parts.push_back({symbol.focus.first - above, std::min(symbol.lines.last, symbol.focus.last + around)});
  }
  return parts;
}

std::vector<LineRange> with_opener(const SelectedSymbol& symbol, LineRange lines) {
  std::vector<LineRange> shown = {lines};
  if (symbol.opener.first > 0) shown.push_back(symbol.opener);
  return shown;
}

bool has_signature(const SelectedSymbol& symbol) {
  return symbol.signature_line > 0 && !symbol.signature.empty() && (!symbol.heads_type() || symbol.asked);
}

std::string short_signature(const SelectedSymbol& symbol) {
  const std::string& whole = symbol.signature;
  const std::string_view name = symbol.own_name();
  const size_t at = whole.find(name);
  const size_t least = at == std::string::npos ? 0 : at + name.size();
  const size_t kept = std::max(kSignatureBytes, least + 1);
  if (whole.size() <= kept + kSignatureBytes / 4) return whole;
  const size_t blank = whole.rfind(' ', kept);
  const size_t end = blank == std::string::npos || blank < least ? kept : blank;
  return std::string(code::cut_utf8(whole, end)) + " …";
}

}  // namespace knapsack

// Any bytes as a source file whose symbols an index of anybody's making tells: units lie in the file, in
// order, and share no line. Each symbol is four bytes: two lines, a kind, a parent; the text follows a NUL.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "code/units/units.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace knapsack;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (size == 0) return 0;
  const size_t symbols = std::min<size_t>(data[0] % 16, (size - 1) / 4);
  const code::TextLines text(bytes.substr(1 + 4 * symbols));
  std::vector<code::SymbolRow> rows;
  for (size_t i = 0; i < symbols && text.count() > 0; ++i) {
    const uint8_t* at = data + 1 + 4 * i;
    code::SymbolRow row;
    row.position = static_cast<uint32_t>(i);
    row.symbol.start_line = 1 + at[0] % text.count();
    row.symbol.end_line = row.symbol.start_line + at[1] % (text.count() - row.symbol.start_line + 1);
    row.symbol.kind = static_cast<code::SymbolKind>(at[2] % 14);
    row.symbol.parent = i == 0 ? code::kNoSymbol : static_cast<int32_t>(at[3] % (i + 1)) - 1;
    row.symbol.name = row.symbol.qualified_name = "s";
    rows.push_back(row);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const code::SymbolRow& a, const code::SymbolRow& b) {
    return a.symbol.start_line < b.symbol.start_line;
  });
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i].position = static_cast<uint32_t>(i);
    if (rows[i].symbol.parent >= static_cast<int32_t>(i)) rows[i].symbol.parent = code::kNoSymbol;
  }
  uint32_t last = 0;
  for (const code::Unit& unit : code::cut_units(text, rows)) {
    if (unit.lines.first <= last || unit.lines.last < unit.lines.first || unit.lines.last > text.count())
      std::abort();
    if (unit.symbol >= static_cast<int32_t>(rows.size())) std::abort();
    last = unit.lines.last;
  }
  return 0;
}

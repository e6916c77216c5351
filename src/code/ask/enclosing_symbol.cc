#include "code/ask/enclosing_symbol.h"

namespace knapsack::code {

Result<const SymbolRow*> EnclosingSymbols::around(const ReferenceUse& use) {
  const SymbolRow* found = nullptr;
  if (use.enclosing.empty()) return found;
  auto [symbols, is_new] = symbols_.try_emplace(use.file);
  if (is_new) {
    KNAPSACK_TRY(symbols->second, index_.symbols(use.file));
  }
  for (const SymbolRow& row : symbols->second) {
    if (row.symbol.qualified_name == use.enclosing && row.symbol.start_line <= use.line &&
        use.line <= row.symbol.end_line)
      found = &row;
  }
  return found;
}

}  // namespace knapsack::code

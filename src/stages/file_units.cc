#include "stages/file_units.h"

#include <algorithm>

namespace knapsack::stages {
namespace {

using code::Symbol;

// Whether a symbol is shown on its own: a function is, what it defines inside is part of it.
bool is_unit(const std::vector<SymbolRow>& symbols, uint32_t position) {
  const Symbol& symbol = symbols[position].symbol;
  for (int32_t parent = symbol.parent; parent != code::kNoSymbol;
       parent = symbols[static_cast<size_t>(parent)].symbol.parent) {
    if (is_callable(symbols[static_cast<size_t>(parent)].symbol.kind)) return false;
  }
  if (is_callable(symbol.kind) || is_type(symbol.kind)) return true;
  // A module spans everything inside it; members of a type are shown with the type.
  return symbol.parent == code::kNoSymbol && symbol.kind != code::SymbolKind::kModule;
}

uint32_t first_line(const Symbol& symbol) {
  return symbol.doc_start_line > 0 ? std::min(symbol.doc_start_line, symbol.start_line) : symbol.start_line;
}

}  // namespace

std::vector<FileUnit> units_of(const std::vector<SymbolRow>& symbols) {
  std::vector<FileUnit> units;
  for (uint32_t i = 0; i < symbols.size(); ++i) {
    if (!is_unit(symbols, i)) continue;
    const Symbol& symbol = symbols[i].symbol;
    units.push_back({i, {first_line(symbol), symbol.end_line}});
  }
  std::stable_sort(units.begin(), units.end(),
                   [](const FileUnit& a, const FileUnit& b) { return a.lines.first < b.lines.first; });
  // Each ends before the next one begins: so a type loses its members, and two on one line stay one.
  std::vector<FileUnit> apart;
  for (const FileUnit& unit : units) {
    if (!apart.empty() && apart.back().lines.last >= unit.lines.first) {
      if (apart.back().lines.first >= unit.lines.first) continue;
      apart.back().lines.last = unit.lines.first - 1;
    }
    apart.push_back(unit);
  }
  return apart;
}

const FileUnit* unit_at(const std::vector<FileUnit>& units, uint32_t line) {
  const auto after =
      std::upper_bound(units.begin(), units.end(), line,
                       [](uint32_t wanted, const FileUnit& unit) { return wanted < unit.lines.first; });
  if (after == units.begin()) return nullptr;
  const FileUnit& found = *std::prev(after);
  return line <= found.lines.last ? &found : nullptr;
}

const FileUnit* unit_of_symbol(const std::vector<FileUnit>& units, const std::vector<SymbolRow>& symbols,
                               uint32_t position) {
  for (auto at = static_cast<int32_t>(position); at != code::kNoSymbol;
       at = symbols[static_cast<size_t>(at)].symbol.parent) {
    for (const FileUnit& unit : units) {
      if (unit.position == static_cast<uint32_t>(at)) return &unit;
    }
  }
  return unit_at(units, symbols[position].symbol.name_line);
}

}  // namespace knapsack::stages

#include "code/rank/frame_functions.h"

#include <string>

#include "code/walk/file_class.h"

namespace knapsack::code {
namespace {

Result<std::vector<uint32_t>> files_calling(CodeIndex& index, const std::string& name, bool no_members) {
  KNAPSACK_TRY(const auto found, index.find_symbols(name));
  std::vector<uint32_t> files;
  for (const IndexedSymbol& each : found) {
    const Symbol& symbol = each.row.symbol;
    if (!is_callable(symbol.kind) || symbol.is_declaration || symbol.is_test ||
        is_test_path(index.file(each.file).name))
      continue;
    if (no_members && symbol.parent != kNoSymbol) {
      KNAPSACK_TRY(const auto symbols, index.symbols(each.file));
      if (is_member(symbols, symbol)) continue;
    }
    files.push_back(each.file);
  }
  return files;
}

}  // namespace

bool is_member(std::span<const SymbolRow> symbols, const Symbol& symbol) {
  if (symbol.parent == kNoSymbol || static_cast<size_t>(symbol.parent) >= symbols.size()) return false;
  return is_type(symbols[static_cast<size_t>(symbol.parent)].symbol.kind);
}

Result<std::vector<uint32_t>> files_of_function(CodeIndex& index, const FrameName& name, OtherOwners others) {
  std::vector<uint32_t> files;
  if (name.name.empty()) return files;
  if (!name.owner.empty()) {
    KNAPSACK_TRY(files, files_calling(index, name.dotted(), false));
  }
  if (files.empty() && name.is_compound()) {
    const bool no_members = others == OtherOwners::kNone && !name.owner.empty();
    KNAPSACK_TRY(files, files_calling(index, name.name, no_members));
  }
  return files;
}

}  // namespace knapsack::code

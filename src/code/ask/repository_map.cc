#include "code/ask/repository_map.h"

#include <algorithm>

#include "code/walk/file_role.h"

namespace knapsack::code {
namespace {

constexpr double kDamping = 0.85;
constexpr int kRounds = 20;
// What tests and examples weigh, so that they stand behind what they show.
constexpr double kBesideTheProgram = 0.05;

}  // namespace

Result<std::vector<MapFile>> weigh_files(CodeIndex& index) {
  const size_t count = index.files().size();
  std::vector<std::vector<FileLink>> imports(count);
  std::vector<double> share(count), weight(count, 1.0);
  for (uint32_t file = 0; file < count; ++file) {
    KNAPSACK_TRY(imports[file], index.imports_of(file));
    const FileRole role = role_of(index.file(file).name, index.file(file).language);
    share[file] = role.is_test || role.is_auxiliary ? kBesideTheProgram : 1.0;
  }
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> next(count, 1 - kDamping);
    for (uint32_t file = 0; file < count; ++file) {
      double all = 0;
      for (const FileLink& link : imports[file]) all += link.confidence;
      if (all <= 0) continue;
      // A test says less about what is central than the program does.
      for (const FileLink& link : imports[file])
        next[link.file] += kDamping * weight[file] * share[file] * link.confidence / all;
    }
    weight.swap(next);
  }
  std::vector<MapFile> files;
  for (uint32_t file = 0; file < count; ++file)
    if (index.file(file).blob != 0) files.push_back({file, weight[file] * share[file]});
  std::stable_sort(files.begin(), files.end(),
                   [](const MapFile& a, const MapFile& b) { return a.weight > b.weight; });
  return files;
}

Result<std::vector<MapLine>> map_lines(CodeIndex& index, uint32_t file) {
  KNAPSACK_TRY(const auto symbols, index.symbols(file));
  std::vector<MapLine> offered, all;
  for (const SymbolRow& row : symbols) {
    const Symbol& symbol = row.symbol;
    if (symbol.signature.empty() || symbol.is_test) continue;
    if (!is_callable(symbol.kind) && !is_type(symbol.kind)) continue;
    // What stands inside of a function is no one else's business.
    const Symbol* parent =
        symbol.parent == kNoSymbol ? nullptr : &symbols[static_cast<size_t>(symbol.parent)].symbol;
    if (parent != nullptr && (is_callable(parent->kind) || parent->parent != kNoSymbol)) continue;
    const MapLine line{parent == nullptr || !is_type(parent->kind) ? 0U : 1U, symbol.name_line,
                       symbol.signature};
    all.push_back(line);
    const bool is_private = symbol.name.starts_with('_') && !symbol.name.starts_with("__init__");
    if (symbol.is_exported && !is_private) offered.push_back(line);
  }
  return offered.empty() ? all : offered;
}

}  // namespace knapsack::code

#include "engine/eval/eval_lines.h"

#include <algorithm>

namespace knapsack {
namespace {

bool is_shown(const ShownLines& shown, const std::string& file, uint32_t line) {
  const auto found = shown.find(file);
  if (found == shown.end()) return false;
  return std::any_of(found->second.begin(), found->second.end(),
                     [&](LineRange range) { return range.first <= line && line <= range.last; });
}

bool all_shown(const ShownLines& shown, const std::string& file, const std::set<uint32_t>& lines) {
  return std::all_of(lines.begin(), lines.end(), [&](uint32_t line) { return is_shown(shown, file, line); });
}

bool all_shown(const ShownLines& shown, const std::string& file, LineRange lines, LineRange spared = {}) {
  for (uint32_t line = lines.first; line <= lines.last; ++line) {
    const bool is_spared = spared.first <= line && line <= spared.last;
    if (!is_spared && !is_shown(shown, file, line)) return false;
  }
  return true;
}

bool all_true(const std::vector<bool>& values) {
  return !values.empty() && std::find(values.begin(), values.end(), false) == values.end();
}

// The innermost function around a line.
const code::Symbol* function_at(std::span<const code::SymbolRow> symbols, uint32_t line) {
  const code::Symbol* best = nullptr;
  for (const code::SymbolRow& row : symbols) {
    const code::Symbol& symbol = row.symbol;
    if (!is_callable(symbol.kind) || line < symbol.start_line || line > symbol.end_line) continue;
    if (best == nullptr || symbol.end_line - symbol.start_line <= best->end_line - best->start_line)
      best = &symbol;
  }
  return best;
}

}  // namespace

void GoldLines::add(const std::string& file, std::span<const LineRange> lines,
                    std::span<const code::SymbolRow> symbols, uint32_t line_count) {
  for (const LineRange range : lines) {
    for (uint32_t each = range.first; each <= range.last && line_count > 0; ++each) {
      const uint32_t line = std::clamp(each, 1U, line_count);
      if (!changed[file].insert(line).second) continue;
      const code::Symbol* function = function_at(symbols, line);
      if (function == nullptr) {
        outside[file].insert(line);
        continue;
      }
      const LineRange around{function->start_line, std::min(function->end_line, line_count)};
      auto known = std::find_if(functions.begin(), functions.end(), [&](const ChangedFunction& other) {
        return other.file == file && other.lines == around;
      });
      if (known == functions.end())
        known = functions.insert(functions.end(),
                                 {file, around, {}, {function->doc_start_line, function->doc_end_line}});
      known->changed.insert(line);
    }
  }
}

LineFigures measure_lines(const GoldLines& gold, const ShownLines& shown) {
  LineFigures figures;
  double changed = 0, hit = 0;
  std::map<std::string, std::set<uint32_t>> wanted = gold.outside;
  for (const auto& [file, lines] : gold.changed) {
    for (const uint32_t line : lines) {
      ++changed;
      hit += is_shown(shown, file, line) ? 1 : 0;
    }
  }
  std::vector<bool> whole, code;
  for (const ChangedFunction& function : gold.functions) {
    whole.push_back(all_shown(shown, function.file, function.lines));
    code.push_back(all_shown(shown, function.file, function.lines, function.documentation));
    for (uint32_t line = function.lines.first; line <= function.lines.last; ++line)
      wanted[function.file].insert(line);
  }
  if (gold.functions.empty()) {
    for (const auto& [file, lines] : gold.outside) whole.push_back(all_shown(shown, file, lines));
    code = whole;
  }
  double relevant = 0, found = 0, all = 0;
  for (const auto& [file, lines] : wanted) {
    relevant += static_cast<double>(lines.size());
    for (const uint32_t line : lines) found += is_shown(shown, file, line) ? 1 : 0;
  }
  for (const auto& [file, ranges] : shown)
    for (const LineRange range : ranges) all += range.last - range.first + 1;
  figures.lines = changed > 0 ? hit / changed : 0;
  figures.any = std::find(whole.begin(), whole.end(), true) != whole.end() ? 1 : 0;
  figures.whole = all_true(whole) ? 1 : 0;
  figures.code = all_true(code) ? 1 : 0;
  figures.precision = all > 0 ? found / all : 0;
  const double recall = relevant > 0 ? found / relevant : 0;
  if (recall + figures.precision > 0)
    figures.f1 = 2 * recall * figures.precision / (recall + figures.precision);
  return figures;
}

std::vector<uint32_t> function_ranks(const GoldLines& gold, std::span<const RankedPlace> ranking) {
  std::vector<uint32_t> ranks(gold.functions.size(), 0);
  uint32_t place = 0;
  for (const RankedPlace& ranked : ranking) {
    bool holds_changed = false;
    std::vector<size_t> hits;
    for (size_t i = 0; i < gold.functions.size(); ++i) {
      const ChangedFunction& function = gold.functions[i];
      const auto first = function.changed.lower_bound(ranked.lines.first);
      const bool here =
          function.file == ranked.file && first != function.changed.end() && *first <= ranked.lines.last;
      holds_changed = holds_changed || here;
      if (here) hits.push_back(i);
    }
    // Pieces of very long functions count as functions.
    if (!ranked.is_function && !holds_changed) continue;
    ++place;
    for (const size_t i : hits)
      if (ranks[i] == 0) ranks[i] = place;
  }
  return ranks;
}

}  // namespace knapsack

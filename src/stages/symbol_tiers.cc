#include "stages/symbol_tiers.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "stages/stage_constants.h"

namespace knapsack::stages {
namespace {

// What a signal says, for people.
std::string_view said(std::string_view signal) {
  constexpr std::pair<std::string_view, std::string_view> kSaid[] = {
      {"frame", "in the stack trace"},         {"linked", "the task links to it"},
      {"quoted", "the task quotes it"},        {"message", "prints a message of the task"},
      {"dotted name", "named with its class"}, {"name", "named in the task"},
      {"owner", "its class is named"},
  };
  for (const auto& [name, words] : kSaid)
    if (name == signal) return words;
  return {};
}

// Whether the unit itself has something of the task, and not only its file.
bool has_own_words(const Score& score) {
  static const std::set<std::string_view> kOfItsPlace = {"file place", "file score", "chunk", "type",
                                                         "head",       "between",    "test",  "copy"};
  return std::any_of(score.components.begin(), score.components.end(),
                     [](const ScoreComponent& each) { return !kOfItsPlace.contains(each.name); });
}

// Whether it is a function with a body that the task calls by its name.
bool is_called(const SelectedSymbol& unit) {
  const auto has = [&](std::string_view signal) {
    const auto& all = unit.score.components;
    return std::any_of(all.begin(), all.end(),
                       [&](const ScoreComponent& each) { return each.name == signal; });
  };
  return unit.kind == code::UnitKind::kFunction && !has("declared") && (has("name") || has("dotted name"));
}

}  // namespace

std::string reason_of(const Score& score) {
  std::string reasons;
  for (const ScoreComponent& component : score.components) {
    const std::string_view words = said(component.name);
    if (!words.empty()) reasons += fmt::format("{}{}", reasons.empty() ? "" : ", ", words);
  }
  return reasons.empty() ? kHasWords : reasons;
}

void sort_into_tiers(StageContext& context, const code::UnitConstants& constants) {
  std::vector<SelectedSymbol>& symbols = context.symbols;
  const auto is_import = [](const SelectedSymbol& each) { return each.kind == code::UnitKind::kImports; };
  std::stable_sort(symbols.begin(), symbols.end(), [&](const SelectedSymbol& a, const SelectedSymbol& b) {
    if (is_import(a) != is_import(b)) return is_import(b);
    if (a.asked != b.asked) return a.asked;
    if (a.named != b.named) return a.named;
    return !is_import(a) && a.key > b.key;
  });
  double best = 0;
  bool any = false;
  for (const SelectedSymbol& each : symbols) {
    if (is_import(each)) continue;
    best = any ? std::max(best, each.key) : each.key;
    any = true;
  }
  std::set<std::pair<std::string_view, std::string_view>> earlier;
  for (const Earlier& each : context.earlier) earlier.emplace(each.path, each.name);
  size_t signatures = 0, wordless = 0;
  double shown = 0;
  for (SelectedSymbol& each : symbols) {
    if (is_import(each)) {
      each.tier = SymbolTier::kTypeContext;
      each.reason = "imports of the first file";
      continue;
    }
    if (each.judged || each.related) continue;
    const double below = best - each.key;
    // One unit that the task names exactly leaves all others far behind, and is rarely all that it needs.
    const double usual = constants.stop * (shown < constants.least ? 2 : 1);
    const double stop = is_called(each) ? std::max(usual, constants.stop_named) : usual;
    const bool stays = earlier.contains({each.path, each.name});
    if (stays && !each.named && below > stop) each.reason = kInLastPacket;
    if (each.named || stays || below <= stop) {
      each.tier = SymbolTier::kPrimary;
      shown += static_cast<double>(each.cost);
      continue;
    }
    // A short unit without a word of the task ranks well for costing little: some may be what the shown ones use, dozens are noise.
    const bool has_words = has_own_words(each.score);
    const bool has_signature = each.signature_line > 0 && each.kind != code::UnitKind::kHead &&
                               (has_words || wordless < kWordlessSignatures);
    wordless += has_signature && !has_words ? 1 : 0;
    each.tier =
        has_signature && signatures < kSignaturesAfterStop ? SymbolTier::kSupporting : SymbolTier::kExcluded;
    signatures += has_signature ? 1 : 0;
    each.reason = fmt::format("{:.1f} below the best: stopped", below);
  }
}

}  // namespace knapsack::stages

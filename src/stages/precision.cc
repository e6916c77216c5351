// The precision stage: which parts of the scoped files matter, and in which order.
//
// The best files are cut into units and ranked (code/units/unit_ranking.h). primary: what was asked for by name and
// what lies close enough to the best; supporting: definitions behind the stop, of which the signature is
// worth a line. Everything else is excluded. A model may move units between these; what was asked for by name
// stays primary.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "code/parse/source_text.h"
#include "code/units/unit_ranking.h"
#include "code/walk/file_role.h"
#include "stages/judge_stages.h"
#include "stages/precision_helpers.h"
#include "stages/precision_lines.h"
#include "stages/precision_reasons.h"
#include "stages/scope_seeds.h"
#include "stages/stage.h"
#include "stages/stage_constants.h"
#include "stages/symbol_tiers.h"
#include "text/secrets/redact.h"

namespace knapsack::stages {
namespace {

class PrecisionBuilder {
 public:
  PrecisionBuilder(const StageInput& input, StageContext& context)
      : input_(input), context_(context), constants_(input.units) {}

  Status run() {
    KNAPSACK_TRY(const code::UnitRanking ranking,
                 code::rank_units(input_.index, input_.texts, input_.task, files(), constants_));
    context_.problems.insert(context_.problems.end(), ranking.problems.begin(), ranking.problems.end());
    context_.symbols.clear();
    for (const code::RankedUnit& unit : ranking.units) KNAPSACK_CHECK(add(unit));
    for (const code::RankedUnit& unit : ranking.imports) KNAPSACK_CHECK(add(unit));
    name_requested();
    sort_into_tiers(context_, constants_,
                    input_.task.type == TaskType::kDocs ? Documents::kByScore : Documents::kBehindCode);
    KNAPSACK_CHECK(show_helpers(input_, context_));
    if (input_.task.type == TaskType::kRefactor) KNAPSACK_CHECK(add_uses());
    KNAPSACK_CHECK(add_named_values());
    return add_reasons();
  }

 private:
  // The first of the ranking, and what was asked for by name wherever it ranks.
  std::vector<code::UnitFile> files() const {
    std::vector<code::RankedFile> ranked;
    std::vector<uint32_t> others;
    std::unordered_set<std::string_view> wanted;
    for (const ScopedFile& scoped : context_.files)
      if (scoped.is_named()) wanted.insert(scoped.path);
    for (const Earlier& each : context_.earlier) wanted.insert(each.path);
    for (const ScopedFile& scoped : context_.files) {
      const auto number = scoped.kept ? input_.index.find_file(scoped.path) : std::nullopt;
      if (!number) continue;
      if (scoped.rank == 0) {
        if (wanted.contains(scoped.path)) others.push_back(*number);
        continue;
      }
      const bool is_test = code::role_of(scoped.path, input_.index.file(*number).language).is_test;
      ranked.push_back({*number, scoped.score, {}, is_test, false});
    }
    std::unordered_map<std::string_view, uint32_t> ranks;
    for (const ScopedFile& scoped : context_.files) ranks.emplace(scoped.path, scoped.rank);
    std::stable_sort(ranked.begin(), ranked.end(), [&](const auto& a, const auto& b) {
      return ranks.at(input_.index.file(a.file).name) < ranks.at(input_.index.file(b.file).name);
    });
    std::vector<code::UnitFile> cut = code::files_to_cut(ranked, constants_);
    for (size_t i = cut.size(); i < ranked.size(); ++i)
      if (wanted.contains(input_.index.file(ranked[i].file).name)) others.push_back(ranked[i].file);
    for (const uint32_t file : others) {
      cut.push_back({file, static_cast<uint32_t>(cut.size()), 0,
                     code::role_of(input_.index.file(file).name, input_.index.file(file).language).is_test});
    }
    return cut;
  }

  Result<const std::vector<code::SymbolRow>*> symbols_of(uint32_t file) {
    const auto known = symbols_.find(file);
    if (known != symbols_.end()) return &known->second;
    KNAPSACK_TRY(auto symbols, input_.index.symbols(file));
    return &symbols_.emplace(file, std::move(symbols)).first->second;
  }

  const code::TextLines& lines_of(uint32_t file) {
    const auto known = lines_.find(file);
    if (known != lines_.end()) return known->second;
    const auto text = input_.texts.read(file);
    return lines_.emplace(file, code::TextLines(text.ok() ? std::string_view(**text) : std::string_view()))
        .first->second;
  }

  Status add(const code::RankedUnit& ranked) {
    SelectedSymbol selected;
    selected.path = input_.index.file(ranked.file).name;
    selected.position = ranked.unit.symbol;
    selected.kind = ranked.unit.kind;
    selected.lines = ranked.unit.lines;
    selected.focus = ranked.focus;
    KNAPSACK_TRY(const auto* symbols, symbols_of(ranked.file));
    selected.opener = opener_of(lines_of(ranked.file), ranked.unit.lines, *symbols);
    // What a stretch of a long function stands in is that function, and not the branch above it.
    if (ranked.unit.kind == code::UnitKind::kBetween && ranked.unit.owner != code::kNoSymbol) {
      const code::Symbol& owner = (*symbols)[static_cast<size_t>(ranked.unit.owner)].symbol;
      if (code::is_callable(owner.kind) && owner.name_line < selected.lines.first)
        selected.opener = {owner.name_line, owner.name_line};
    }
    selected.cost = ranked.cost;
    selected.score = ranked.score;
    selected.key = ranked.key;
    selected.name = fmt::format("lines {}-{}", selected.lines.first, selected.lines.last);
    const bool has_symbol =
        ranked.unit.kind != code::UnitKind::kBetween && ranked.unit.symbol != code::kNoSymbol;
    if (has_symbol) {
      const code::Symbol& symbol = (*symbols)[static_cast<size_t>(ranked.unit.symbol)].symbol;
      selected.is_callable = code::is_callable(symbol.kind);
      selected.name = symbol.qualified_name;
      selected.signature = symbol.signature;
      redact_secrets(selected.signature);
      selected.signature_line = symbol.name_line;
      if (input_.task.type != TaskType::kDocs)
        selected.doc = spare_of(symbol, selected.lines, lines_of(ranked.file));
      if (selected.doc.first > 0) {
        const uint64_t spared = code::estimated_cost(lines_of(ranked.file).lines(selected.doc));
        selected.cost -= std::min(spared, selected.cost);
      }
    }
    selected.reason = reason_of(ranked.score);
    context_.symbols.push_back(std::move(selected));
    return ok_status();
  }

  void name_requested() {
    for (const Requested& each : context_.requested) {
      if (each.position == kNoPosition) continue;
      const auto file = input_.index.find_file(each.path);
      const auto symbols = file ? symbols_of(*file) : Result<const std::vector<code::SymbolRow>*>(nullptr);
      if (!symbols.ok() || *symbols == nullptr || static_cast<size_t>(each.position) >= (*symbols)->size())
        continue;
      const uint32_t line = (**symbols)[static_cast<size_t>(each.position)].symbol.name_line;
      for (SelectedSymbol& selected : context_.symbols) {
        if (selected.path != each.path || line < selected.lines.first || line > selected.lines.last) continue;
        selected.named = true;
        selected.asked = selected.asked || each.asked;
        selected.reason = each.reason;
      }
    }
  }

  double lowest_shown_key() const {
    double key = 0;
    for (const SelectedSymbol& each : context_.symbols)
      if (each.tier == SymbolTier::kPrimary) key = std::min(key, each.key);
    return key;
  }

  bool is_shown(const std::string& path, uint32_t line) const {
    return std::any_of(context_.symbols.begin(), context_.symbols.end(), [&](const SelectedSymbol& each) {
      return each.tier == SymbolTier::kPrimary && each.path == path && each.lines.first <= line &&
             line <= each.lines.last;
    });
  }

  bool is_shown_by_name(std::string_view name) const {
    return std::any_of(context_.symbols.begin(), context_.symbols.end(), [&](const SelectedSymbol& each) {
      return each.tier == SymbolTier::kPrimary && each.own_name() == name;
    });
  }

  // A field or a constant that the task calls by its name stands in something large that may be far behind: its own line
  // is shown, behind the code.
  Status add_named_values() {
    const double key = lowest_shown_key();
    std::unordered_set<std::string_view> called(input_.task.symbols.begin(), input_.task.symbols.end());
    // Who writes `parent()` means no field that is called so, where there is a function.
    for (const std::string& name : input_.task.called) {
      KNAPSACK_TRY(const bool is_function, names_callable(input_.index, name));
      if (is_function) called.erase(name);
    }
    size_t added = 0;
    for (const ScopedFile& file : context_.files) {
      const auto number = file.kept && file.is_named() ? input_.index.find_file(file.path) : std::nullopt;
      if (!number) continue;
      const code::FileRole role = code::role_of(file.path, input_.index.file(*number).language);
      if (role.is_test || role.is_auxiliary) continue;
      KNAPSACK_TRY(const auto* symbols, symbols_of(*number));
      for (const code::SymbolRow& row : *symbols) {
        const code::Symbol& symbol = row.symbol;
        const bool is_called = called.contains(symbol.name) || called.contains(symbol.qualified_name);
        // A variable of the same name in some script is another thing.
        const bool is_lasting =
            symbol.kind == code::SymbolKind::kField || symbol.kind == code::SymbolKind::kConstant;
        // Of a function and a field of one name the function is meant.
        if (!is_called || !is_lasting || is_shown(file.path, symbol.name_line) ||
            is_shown_by_name(symbol.name))
          continue;
        if (++added > kMaxNamedValues) return ok_status();
        SelectedSymbol made;
        made.path = file.path;
        made.name = symbol.qualified_name;
        made.lines = {symbol.name_line, std::min(symbol.end_line, symbol.name_line + kMaxValueLines - 1)};
        made.opener = opener_of(lines_of(*number), made.lines, *symbols);
        made.cost = code::estimated_cost(lines_of(*number).lines(made.lines));
        made.key = key;
        made.tier = SymbolTier::kPrimary;
        made.related = true;
        made.reason = kNamedInTask;
        context_.symbols.push_back(std::move(made));
      }
    }
    return ok_status();
  }

  // Behind the code, which they explain.
  Status add_reasons() {
    const double key = lowest_shown_key();
    KNAPSACK_TRY(auto reasons, find_reasons(input_, context_));
    for (SelectedSymbol& each : reasons) {
      each.key = key;
      each.related = true;
      context_.symbols.push_back(std::move(each));
    }
    return ok_status();
  }

  // What changes a symbol changes every place that uses it: they follow what the ranking found.
  Status add_uses() {
    std::unordered_map<std::string, std::vector<size_t>> ranked;  // symbols of each file
    double key = 0;
    for (size_t i = 0; i < context_.symbols.size(); ++i) {
      ranked[context_.symbols[i].path].push_back(i);
      if (context_.symbols[i].tier == SymbolTier::kPrimary) key = std::min(key, context_.symbols[i].key);
    }
    std::vector<SelectedSymbol> added;
    size_t places = 0;
    for (const ScopedFile& file : context_.files) {
      const auto number = file.kept && !file.uses.empty() ? input_.index.find_file(file.path) : std::nullopt;
      if (!number) continue;
      KNAPSACK_TRY(const auto* symbols, symbols_of(*number));
      for (const code::Unit& unit :
           units_with(lines_of(*number), *symbols, input_.index.file(*number).language, file.uses)) {
        if (++places > kMaxUseUnits) continue;
        SelectedSymbol* known = nullptr;
        for (const size_t i : ranked[file.path])
          if (context_.symbols[i].lines == unit.lines) known = &context_.symbols[i];
        if (known == nullptr) {
          code::RankedUnit made;
          made.file = *number;
          made.unit = unit;
          made.cost = code::estimated_cost(lines_of(*number).lines(unit.lines));
          made.key = key;
          KNAPSACK_CHECK(add(made));
          added.push_back(std::move(context_.symbols.back()));
          context_.symbols.pop_back();
          known = &added.back();
        }
        if (known->tier == SymbolTier::kPrimary) continue;
        known->tier = SymbolTier::kPrimary;
        known->related = true;
        known->focus = focus_on_uses(unit.lines, file.uses);
        known->reason = use_relation(file);
      }
    }
    if (places > kMaxUseUnits) {
      context_.left_out.push_back(
          {"uses", fmt::format("{} more places use what the task names", places - kMaxUseUnits),
           ScopeTier::kDependency, fmt::format("beyond the first {} places of use", kMaxUseUnits)});
    }
    std::move(added.begin(), added.end(), std::back_inserter(context_.symbols));
    return ok_status();
  }

  const StageInput& input_;
  StageContext& context_;
  const code::UnitConstants& constants_;
  std::unordered_map<uint32_t, std::vector<code::SymbolRow>> symbols_;
  std::unordered_map<uint32_t, code::TextLines> lines_;
};

class PrecisionStage final : public Stage {
 public:
  std::string_view name() const override { return "precision"; }
  std::string_view needs() const override { return "scope"; }
  std::string_view purpose() const override {
    return "choose the symbols of those files, and how much of each";
  }

  Result<StageContext> run(StageContext context, const StageInput& input) const override {
    PrecisionBuilder builder(input, context);
    KNAPSACK_CHECK(builder.run());
    if (input.judge != nullptr) judge_units(*input.judge, input, context);
    return context;
  }
};

}  // namespace

const Stage& precision_stage() {
  static const PrecisionStage stage;
  return stage;
}

}  // namespace knapsack::stages

// The precision stage: which parts of the scoped files matter, and in which order.
//
// The best files are cut into units and ranked (code/units/unit_ranking.h). primary: what was asked for by name and
// what lies close enough to the best; supporting: definitions behind the stop, of which the signature is
// worth a line. Everything else is excluded. A model may move units between these; what was asked for by name
// stays primary.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "code/parse/source_text.h"
#include "code/units/unit_ranking.h"
#include "code/walk/file_role.h"
#include "core/ascii.h"
#include "stages/stage.h"
#include "stages/stage_constants.h"
#include "text/secrets/redact.h"

namespace knapsack::stages {
namespace {

constexpr size_t kShownBytes = 200;
// A line that opens a block is looked for so far above.
constexpr uint32_t kMaxOpenerDistance = 3000;

size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

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
    sort_tiers();
    return ok_status();
  }

  void judge(Judge& judge);

 private:
  // The first of the ranking, and what was asked for by name wherever it ranks.
  std::vector<code::UnitFile> files() const {
    std::vector<code::RankedFile> ranked;
    std::vector<uint32_t> others;
    for (const ScopedFile& scoped : context_.files) {
      const auto number = scoped.kept ? input_.index.find_file(scoped.path) : std::nullopt;
      if (!number) continue;
      if (scoped.rank == 0) {
        if (scoped.named) others.push_back(*number);
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
      if (is_named(ranked[i].file)) others.push_back(ranked[i].file);
    for (const uint32_t file : others) {
      cut.push_back({file, static_cast<uint32_t>(cut.size()), 0,
                     code::role_of(input_.index.file(file).name, input_.index.file(file).language).is_test});
    }
    return cut;
  }

  bool is_named(uint32_t file) const {
    const std::string& path = input_.index.file(file).name;
    return std::any_of(context_.files.begin(), context_.files.end(),
                       [&](const ScopedFile& scoped) { return scoped.named && scoped.path == path; });
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
    selected.opener = opener_of(ranked.file, ranked.unit.lines);
    selected.cost = ranked.cost;
    selected.score = ranked.score;
    selected.key = ranked.key;
    selected.name = fmt::format("lines {}-{}", selected.lines.first, selected.lines.last);
    const bool is_definition =
        ranked.unit.kind == code::UnitKind::kFunction || ranked.unit.kind == code::UnitKind::kType;
    if (is_definition || ranked.unit.kind == code::UnitKind::kHead) {
      KNAPSACK_TRY(const auto* symbols, symbols_of(ranked.file));
      const code::Symbol& symbol = (*symbols)[static_cast<size_t>(ranked.unit.symbol)].symbol;
      selected.name = symbol.qualified_name;
      selected.signature = symbol.signature;
      redact_secrets(selected.signature);
      selected.signature_line = symbol.name_line;
      selected.doc = spare_of(symbol, selected.lines);
    }
    std::string reasons;
    for (const ScoreComponent& component : ranked.score.components) {
      const std::string_view words = said(component.name);
      if (!words.empty()) reasons += fmt::format("{}{}", reasons.empty() ? "" : ", ", words);
    }
    selected.reason = reasons.empty() ? kHasWords : reasons;
    context_.symbols.push_back(std::move(selected));
    return ok_status();
  }

  // Of a long comment everything but its first words and its end.
  static LineRange spare_of(const code::Symbol& symbol, LineRange unit) {
    constexpr uint32_t kKeptLines = 3;
    constexpr uint32_t kLongLines = 8;
    const bool is_inside = symbol.doc_start_line >= unit.first && symbol.doc_end_line <= unit.last;
    if (symbol.doc_start_line == 0 || !is_inside || symbol.doc_end_line - symbol.doc_start_line < kLongLines)
      return {};
    return {symbol.doc_start_line + kKeptLines, symbol.doc_end_line - 1};
  }

  // The nearest line above that stands further to the left: the class of a method, the `impl` of a function.
  LineRange opener_of(uint32_t file, LineRange unit) {
    const code::TextLines& lines = lines_of(file);
    uint32_t first = unit.first;
    while (first < unit.last && lines.is_blank(first)) ++first;
    // An annotation of several lines is indented deeper than what it stands above; a comment may stand further left.
    size_t own = indentation(lines.line(first));
    while (first < unit.last && (lines.is_blank(first) || code::is_remark(lines.line(first)))) ++first;
    own = std::min(own, indentation(lines.line(first)));
    if (own == 0) return {};
    const uint32_t least = unit.first > kMaxOpenerDistance ? unit.first - kMaxOpenerDistance : 1;
    for (uint32_t line = unit.first; line-- > least;) {
      const std::string_view text = lines.line(line);
      const size_t indent = indentation(text);
      if (lines.is_blank(line) || indent >= own || ascii::trim_space(text).size() <= 2) continue;
      if (code::is_remark(text)) continue;
      return {line, line};
    }
    return {};
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
        selected.reason = each.reason;
      }
    }
  }

  void sort_tiers() {
    auto& symbols = context_.symbols;
    std::stable_sort(symbols.begin(), symbols.end(), [](const SelectedSymbol& a, const SelectedSymbol& b) {
      const auto is_import = [](const SelectedSymbol& each) { return each.kind == code::UnitKind::kImports; };
      if (is_import(a) != is_import(b)) return is_import(b);
      if (a.named != b.named) return a.named;
      return !is_import(a) && a.key > b.key;
    });
    double best = 0;
    bool any = false;
    for (const SelectedSymbol& each : symbols) {
      if (each.kind == code::UnitKind::kImports) continue;
      best = any ? std::max(best, each.key) : each.key;
      any = true;
    }
    size_t signatures = 0;
    double shown = 0;
    for (SelectedSymbol& each : symbols) {
      if (each.kind == code::UnitKind::kImports) {
        each.tier = SymbolTier::kTypeContext;
        each.reason = "imports of the first file";
        continue;
      }
      const double below = best - each.key;
      // One unit that the task names exactly leaves all others far behind, and is rarely all that it needs.
      const double stop = constants_.stop * (shown < constants_.least ? 2 : 1);
      if (each.named || below <= stop) {
        each.tier = SymbolTier::kPrimary;
        shown += static_cast<double>(each.cost);
        continue;
      }
      const bool has_signature = each.signature_line > 0 && each.kind != code::UnitKind::kHead;
      each.tier = has_signature && signatures < kSignaturesAfterStop ? SymbolTier::kSupporting
                                                                     : SymbolTier::kExcluded;
      signatures += has_signature ? 1 : 0;
      each.reason = fmt::format("{:.1f} below the best: stopped", below);
    }
  }

  const StageInput& input_;
  StageContext& context_;
  const code::UnitConstants& constants_;
  std::unordered_map<uint32_t, std::vector<code::SymbolRow>> symbols_;
  std::unordered_map<uint32_t, code::TextLines> lines_;
};

void PrecisionBuilder::judge(Judge& judge) {
  const Question question{"precision",
                          "You decide how much of each part of the source code a programming task needs: "
                          "\"primary\" must be read "
                          "in full or changed, \"supporting\" helps to do it right, \"type_context\" is a "
                          "type whose shape matters, "
                          "\"excluded\" need not be seen.",
                          {"primary", "supporting", "type_context", "excluded"}};
  std::vector<SelectedSymbol*> asked;
  std::vector<std::string> candidates;
  std::vector<bool> points_at;  // what the task itself names or points at stays, whatever the model says
  for (SelectedSymbol& symbol : context_.symbols) {
    if (symbol.tier == SymbolTier::kExcluded || symbol.kind == code::UnitKind::kImports) continue;
    if (asked.size() == kJudgedUnits) break;
    asked.push_back(&symbol);
    points_at.push_back(symbol.tier == SymbolTier::kPrimary && symbol.reason != kHasWords);
    candidates.push_back(fmt::format("{} in {} lines {}-{}: {} ({})", symbol.name, symbol.path,
                                     symbol.lines.first, symbol.lines.last,
                                     code::cut_utf8(symbol.signature, kShownBytes), symbol.reason));
  }
  const Opinions opinions = judge.classify(question, input_.task, candidates);
  context_.problems.insert(context_.problems.end(), opinions.problems.begin(), opinions.problems.end());
  for (size_t i = 0; i < asked.size(); ++i) {
    if (!opinions.opinions[i]) continue;
    const auto tier = static_cast<SymbolTier>(opinions.opinions[i]->choice);
    const std::string& reason = opinions.opinions[i]->reason;
    asked[i]->reason += fmt::format("; model: {}{}{}", to_string(tier), reason.empty() ? "" : ", ", reason);
    if (asked[i]->named || points_at[i]) continue;
    asked[i]->tier = tier;
    asked[i]->judged = true;
  }
}

class PrecisionStage final : public Stage {
 public:
  std::string_view name() const override { return "precision"; }
  std::string_view purpose() const override {
    return "choose the symbols of those files, and how much of each";
  }

  Result<StageContext> run(StageContext context, const StageInput& input) const override {
    PrecisionBuilder builder(input, context);
    KNAPSACK_CHECK(builder.run());
    if (input.judge != nullptr) builder.judge(*input.judge);
    return context;
  }
};

}  // namespace

const Stage& precision_stage() {
  static const PrecisionStage stage;
  return stage;
}

}  // namespace knapsack::stages

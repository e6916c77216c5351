#include "code/units/unit_ranking.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "code/units/empty_bodies.h"
#include "code/units/unit_repeats.h"
#include "code/units/unit_signal.h"
#include "code/units/unit_signals.h"

namespace knapsack::code {
namespace {

// A prototype or an overload whose body the file has too, as a multiple of one whose body stands elsewhere.
constexpr double kDeclaredHere = 3;

// What one unit costs beside its own text: the line that names its lines, and a fence.
constexpr double kFrameTokens = 5;
constexpr double kBytesOfToken = 4;
// A longer unit has a part that is shown where all of it has no room.
constexpr uint32_t kFocusLines = 24;
// Where a trace tells the line that failed, it is the part around that line; what led there stands before it.
constexpr uint32_t kLinesBeforeFailure = 16;

struct Signal {
  UnitSignal signal;
  double weight;
  UnitScores scores;
  bool is_by_words = false;
};

class UnitRanker {
 public:
  UnitRanker(CodeIndex& index, FileTexts& texts, const TaskQuery& task, const UnitConstants& constants)
      : texts_(texts), constants_(constants), input_{index, task, task_terms(task, {}), {}, {}} {}

  Result<UnitRanking> run(const std::vector<UnitFile>& files) {
    for (const UnitFile& file : files) KNAPSACK_CHECK(open(file));
    KNAPSACK_CHECK(gather_signals());
    for (size_t i = 0; i < input_.units.size(); ++i) add_unit(i);
    std::stable_sort(ranking_.units.begin(), ranking_.units.end(),
                     [](const RankedUnit& a, const RankedUnit& b) { return a.key > b.key; });
    std::unordered_map<uint32_t, const TextLines*> lines;
    for (const OpenFile& file : input_.files) lines.emplace(file.file.file, &file.lines);
    const auto lines_of = [&](const RankedUnit& unit) -> const TextLines& { return *lines.at(unit.file); };
    ranking_.units = with_repeats_behind(std::move(ranking_.units), lines_of, constants_);
    return std::move(ranking_);
  }

 private:
  Status open(const UnitFile& file) {
    const auto text = texts_.read(file.file);
    if (!text.ok()) {
      if (text.error().code != ErrorCode::kNotFound) ranking_.problems.push_back(text.error().line());
      return ok_status();
    }
    OpenFile opened{
        file, input_.index.file(file.file).name, **text, TextLines(**text), {}, {}, input_.units.size()};
    KNAPSACK_TRY(opened.symbols, input_.index.symbols(file.file));
    opened.units = cut_units(opened.lines, opened.symbols, input_.index.file(file.file).language);
    const auto number = static_cast<uint32_t>(input_.files.size());
    for (uint32_t i = 0; i < opened.units.size(); ++i) input_.units.push_back({number, i});
    input_.files.push_back(std::move(opened));
    return ok_status();
  }

  Status gather_signals() {
    const UnitConstants& c = constants_;
    UnitScores place, score, type, head, between, declared, test;
    const std::vector<size_t> leads = files_that_lead(input_);
    for (size_t i = 0; i < input_.units.size(); ++i) {
      const OpenFile& file = input_.file_of(i);
      const UnitKind kind = input_.unit(i).kind;
      const UnitFile& leading = input_.files[leads[input_.units[i].file]].file;
      place.push_back(1.0 / (1 + leading.place));
      score.push_back(leading.score);
      type.push_back(kind == UnitKind::kType ? 1 : 0);
      head.push_back(kind == UnitKind::kHead ? 1 : 0);
      between.push_back(kind == UnitKind::kBetween || kind == UnitKind::kValue ? 1 : 0);
      declared.push_back(kind == UnitKind::kFunction ? declared_share(i) : 0);
      const bool is_test = file.file.is_test || is_part_of_test(file, input_.unit(i));
      test.push_back(is_test && input_.task.type != TaskType::kTest ? 1 : 0);
    }
    KNAPSACK_TRY(words_, word_signals(input_));
    KNAPSACK_TRY(NameSignals names, name_signals(input_));
    UnitScores handed_on = handed_on_scores(input_, names, c);
    MentionSignals mentions = mention_signals(input_);
    failing_lines_ = std::move(mentions.lines);
    QuoteSignals quotes = quote_signals(input_);
    signals_ = {{UnitSignal::kFilePlace, c.file_place, std::move(place)},
                {UnitSignal::kFileScore, c.file_score, std::move(score)},
                {UnitSignal::kCoverage, c.coverage, std::move(words_.coverage), true},
                {UnitSignal::kWords, c.words, std::move(words_.words), true},
                {UnitSignal::kChunk, c.chunk, std::move(words_.chunk), true},
                {UnitSignal::kNameWords, c.name_words, std::move(names.words)},
                {UnitSignal::kNameShare, c.name_share, std::move(names.share)},
                {UnitSignal::kName, c.name, std::move(names.name)},
                {UnitSignal::kDottedName, c.dotted, std::move(names.dotted)},
                {UnitSignal::kOwner, c.owner, std::move(names.owner)},
                {UnitSignal::kHandedOn, 1, std::move(handed_on)},
                {UnitSignal::kFrame, c.frame, std::move(mentions.frame)},
                {UnitSignal::kLinked, c.linked, std::move(mentions.linked)},
                {UnitSignal::kQuoted, c.quoted, std::move(quotes.quoted)},
                {UnitSignal::kMessage, c.message, std::move(quotes.message)},
                {UnitSignal::kType, c.type, std::move(type)},
                {UnitSignal::kHead, c.head, std::move(head)},
                {UnitSignal::kBetween, c.between, std::move(between)},
                {UnitSignal::kDeclared, c.declared, std::move(declared)},
                {UnitSignal::kTest, c.test, std::move(test)},
                {UnitSignal::kCopy, c.copy, copy_signal(input_)}};
    return ok_status();
  }

  // What only says how a function that stands in the same file is called tells least of all.
  double declared_share(size_t number) {
    const Unit& unit = input_.unit(number);
    const uint32_t place = input_.units[number].file;
    const OpenFile& file = input_.files[place];
    if (unit.symbol == kNoSymbol) return 0;
    const Symbol& symbol = file.symbols[static_cast<size_t>(unit.symbol)].symbol;
    if (!is_without_body(file.lines, symbol)) return 0;
    // What a protocol asks for says more than how one function is called.
    const bool is_asked_for =
        symbol.parent != kNoSymbol &&
        file.symbols[static_cast<size_t>(symbol.parent)].symbol.kind == SymbolKind::kInterface;
    return !is_asked_for && names_with_bodies(place).contains(symbol.qualified_name) ? kDeclaredHere : 1;
  }

  const std::unordered_set<std::string_view>& names_with_bodies(uint32_t place) {
    const auto [known, is_new] = with_bodies_.try_emplace(place);
    const OpenFile& file = input_.files[place];
    if (is_new) {
      for (const SymbolRow& row : file.symbols)
        if (is_callable(row.symbol.kind) && !is_without_body(file.lines, row.symbol))
          known->second.insert(row.symbol.qualified_name);
    }
    return known->second;
  }

  // Tests may stand beside what they test, as they do in Rust: `mod tests`, with what helps them.
  static bool is_part_of_test(const OpenFile& file, const Unit& unit) {
    for (int32_t at = unit.symbol != kNoSymbol ? unit.symbol : unit.owner; at != kNoSymbol;) {
      const Symbol& symbol = file.symbols[static_cast<size_t>(at)].symbol;
      if (symbol.is_test || (symbol.kind == SymbolKind::kModule && symbol.name == "tests")) return true;
      at = symbol.parent;
    }
    return false;
  }

  void add_unit(size_t number) {
    const OpenFile& file = input_.file_of(number);
    RankedUnit ranked;
    ranked.file = file.file.file;
    ranked.unit = input_.unit(number);
    const std::string_view text = file.lines.lines(ranked.unit.lines);
    ranked.cost = estimated_cost(text);
    if (ranked.unit.kind == UnitKind::kRemarks) return;
    if (ranked.unit.kind == UnitKind::kImports) {
      if (file.file.place == 0) ranking_.imports.push_back(std::move(ranked));
      return;
    }
    for (const Signal& signal : signals_) {
      const double value = signal.weight * signal.scores[number];
      if (value == 0) continue;
      ranked.score.components.push_back({std::string(to_string(signal.signal)), value});
      ranked.score.total += value;
      if (signal.is_by_words) ranked.by_words += value;
    }
    ranked.key = ranked.score.total - constants_.cost * std::log(static_cast<double>(ranked.cost));
    ranked.focus = focus_of(number);
    ranking_.units.push_back(std::move(ranked));
  }

  // The lines of a long unit that have the most of the task's words. A word that is there already says little more:
  // a part that repeats one is not what a part with all of them is.
  LineRange focus_of(size_t number) const {
    const LineRange lines = input_.unit(number).lines;
    if (lines.last - lines.first + 1 <= kFocusLines + kFocusLines / 2) return {};
    if (const uint32_t failed = failing_lines_[number]; failed > 0) {
      const uint32_t from = std::max(lines.first, failed - std::min(failed, kLinesBeforeFailure));
      const uint32_t first = std::min(from, lines.last + 1 - kFocusLines);
      return {first, first + kFocusLines - 1};
    }
    const std::vector<TermPlace>& places = words_.places[input_.units[number].file];
    const auto first =
        std::lower_bound(places.begin(), places.end(), lines.first,
                         [](const TermPlace& each, uint32_t line) { return each.line < line; });
    std::vector<uint32_t> often(words_.weights.size());
    double sum = 0, best = 0;
    LineRange focus{lines.first, lines.first + kFocusLines - 1};
    auto oldest = first;
    for (auto newest = first; newest != places.end() && newest->line <= lines.last; ++newest) {
      const uint32_t from =
          newest->line < lines.first + kFocusLines ? lines.first : newest->line + 1 - kFocusLines;
      for (; oldest->line < from; ++oldest) {
        uint32_t& left = often[oldest->term];
        sum -= words_.weights[oldest->term] * (share_of(left) - share_of(left - 1));
        --left;
      }
      uint32_t& here = often[newest->term];
      sum += words_.weights[newest->term] * (share_of(here + 1) - share_of(here));
      ++here;
      if (sum <= best) continue;
      best = sum;
      focus = {from, from + kFocusLines - 1};
    }
    return focus;
  }
  // Of a word's weight, where it stands so often: 1/2, 2/3, 3/4 …
  static double share_of(uint32_t often) { return often / (often + 1.0); }

  FileTexts& texts_;
  const UnitConstants& constants_;
  std::unordered_map<uint32_t, std::unordered_set<std::string_view>> with_bodies_;  // by file
  UnitInput input_;
  WordSignals words_;
  std::vector<uint32_t> failing_lines_;
  std::vector<Signal> signals_;
  UnitRanking ranking_;
};

}  // namespace

uint64_t estimated_cost(std::string_view text) {
  return static_cast<uint64_t>(static_cast<double>(text.size()) / kBytesOfToken + kFrameTokens);
}

std::vector<UnitFile> files_to_cut(const std::vector<RankedFile>& ranked, const UnitConstants& constants) {
  std::vector<UnitFile> files;
  const size_t count = std::min(ranked.size(), static_cast<size_t>(constants.files));
  for (size_t i = 0; i < count; ++i)
    files.push_back(
        {ranked[i].file, static_cast<uint32_t>(i), earned_score(ranked[i].score), ranked[i].is_test});
  // The order stands: no file has less than one behind it.
  for (size_t i = count; i-- > 1;) files[i - 1].score = std::max(files[i - 1].score, files[i].score);
  const double best = files.empty() ? 0 : files.front().score;
  for (UnitFile& file : files) file.score = best > 0 ? file.score / best : 0;
  return files;
}

Result<UnitRanking> rank_units(CodeIndex& index, FileTexts& texts, const TaskQuery& task,
                               const std::vector<UnitFile>& files, const UnitConstants& constants) {
  return UnitRanker(index, texts, task, constants).run(files);
}

}  // namespace knapsack::code

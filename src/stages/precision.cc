// The precision stage: which parts of the scoped files matter, and how much.
//
// primary: what the task names, where it failed, and the parts that match it best. supporting: what primary
// parts use, tests that assert on them, more of what matches. type_context: types that primary parts mention.
// Everything else is excluded. A model may move parts between these; what the task names stays primary.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "code/code_references.h"
#include "code/source_text.h"
#include "stages/file_units.h"
#include "stages/stage.h"
#include "stages/stage_constants.h"
#include "text/redact.h"
#include "text/words.h"

namespace knapsack::stages {
namespace {

// Behind everything that matched: what is only referenced.
constexpr double kReferencedOrder = 1000;
constexpr size_t kShownBytes = 200;
// What lies between two functions is blank or a remark; it is shown with them when it is cheap.
constexpr uint32_t kMinStretch = 3;

struct OpenFile {
  uint32_t number = 0;
  size_t place = 0;  // among the kept files
  std::vector<SymbolRow> symbols;
  std::vector<FileUnit> units;
  std::map<int32_t, SelectedSymbol> selected;  // by position of the unit
  std::vector<SelectedSymbol> stretches;       // matches outside of every unit
};

class PrecisionBuilder {
 public:
  PrecisionBuilder(const StageInput& input, StageContext& context) : input_(input), context_(context) {}

  Status run() {
    KNAPSACK_CHECK(open_files());
    KNAPSACK_CHECK(select_named());
    for (OpenFile& file : files_) KNAPSACK_CHECK(select_matching(file));
    const size_t referencing = std::min(files_.size(), kReferencingFiles);
    for (size_t i = 0; i < referencing; ++i) KNAPSACK_CHECK(select_referenced(files_[i]));
    for (OpenFile& file : files_) KNAPSACK_CHECK(select_tests(file));
    for (OpenFile& file : files_) exclude_others(file);
    collect();
    return ok_status();
  }

  void judge(Judge& judge);

 private:
  Status open_files() {
    size_t place = 0;
    for (const ScopedFile& scoped : context_.files) {
      if (!scoped.kept) continue;
      const auto number = input_.index.find_file(scoped.path);
      if (!number) continue;
      OpenFile file;
      file.number = *number;
      file.place = place++;
      KNAPSACK_TRY(file.symbols, input_.index.symbols(*number));
      file.units = units_of(file.symbols);
      by_number_.emplace(*number, files_.size());
      scoped_.push_back(&scoped);
      files_.push_back(std::move(file));
    }
    return ok_status();
  }

  OpenFile* open_file(uint32_t number) {
    const auto found = by_number_.find(number);
    return found == by_number_.end() ? nullptr : &files_[found->second];
  }

  SelectedSymbol make(const OpenFile& file, const FileUnit& unit) const {
    const code::Symbol& symbol = file.symbols[unit.position].symbol;
    SelectedSymbol selected;
    selected.path = scoped_[file.place]->path;
    selected.position = static_cast<int32_t>(unit.position);
    selected.name = symbol.qualified_name;
    selected.signature = symbol.signature;
    redact_secrets(selected.signature);
    selected.signature_line = symbol.name_line;
    selected.lines = unit.lines;
    return selected;
  }

  // The stronger of two reasons decides; a part that is primary stays so.
  void select(OpenFile& file, const FileUnit& unit, SymbolTier tier, double order, const std::string& reason,
              LineRange focus = {}) {
    const auto [place, is_new] = file.selected.emplace(static_cast<int32_t>(unit.position), SelectedSymbol());
    SelectedSymbol& selected = place->second;
    if (is_new) selected = make(file, unit);
    const bool stronger = is_new || tier < selected.tier || (tier == selected.tier && order < selected.order);
    if (!stronger) return;
    selected.tier = tier;
    selected.order = order;
    selected.reason = reason;
    selected.focus = focus;
  }

  // The lines of a long unit around one of them; all of it comes later, when there is room.
  static LineRange focus_at(const FileUnit& unit, uint32_t line) {
    if (unit.lines.last - unit.lines.first + 1 <= kFocusLines) return {};
    const uint32_t half = kFocusLines / 2;
    const uint32_t first = std::max(unit.lines.first, line > half ? line - half : 1);
    return {first, std::min(unit.lines.last, first + kFocusLines - 1)};
  }

  void select_line(OpenFile& file, uint32_t line, const std::string& reason) {
    const FileUnit* unit = unit_at(file.units, line);
    if (unit == nullptr) return;
    select(file, *unit, SymbolTier::kPrimary, 0.5, reason, focus_at(*unit, line));
    file.selected.at(static_cast<int32_t>(unit->position)).named = true;
  }

  Status select_named() {
    for (const Requested& each : context_.requested) {
      const auto number = input_.index.find_file(each.path);
      OpenFile* file = number ? open_file(*number) : nullptr;
      if (file == nullptr || each.position == kNoPosition) continue;
      if (static_cast<size_t>(each.position) >= file->symbols.size()) continue;
      select_symbol(*file, static_cast<uint32_t>(each.position), each.reason);
    }
    for (const std::string& name : input_.task.symbols) {
      KNAPSACK_TRY(const auto found, input_.index.find_symbols(name));
      for (const auto& symbol : found) {
        if (OpenFile* file = open_file(symbol.file)) {
          select_symbol(*file, symbol.row.position, "named in the task");
        }
      }
    }
    for (const PathHint& hint : input_.task.paths) {
      if (hint.line > 0) select_lines_of(hint.path, hint.line, "the line that the task names");
    }
    for (size_t i = 0; i < input_.task.frames.size(); ++i) {
      const StackFrame& frame = input_.task.frames[i];
      if (frame.line > 0) {
        select_lines_of(frame.path, frame.line, fmt::format("frame {} of the stack trace", i + 1));
      }
    }
    return ok_status();
  }

  // In files that are in scope by that path; frames carry paths of another machine, so suffixes count too.
  void select_lines_of(const std::string& path, uint32_t line, const std::string& reason) {
    for (OpenFile& file : files_) {
      const std::string& known = scoped_[file.place]->path;
      const bool fits = known == path || path.ends_with("/" + known) || known.ends_with("/" + path);
      if (fits && scoped_[file.place]->named) select_line(file, line, reason);
    }
  }

  void select_symbol(OpenFile& file, uint32_t position, const std::string& reason) {
    const FileUnit* unit = unit_of_symbol(file.units, file.symbols, position);
    if (unit == nullptr) return;
    select(file, *unit, SymbolTier::kPrimary, 0, reason,
           focus_at(*unit, file.symbols[position].symbol.name_line));
    file.selected.at(static_cast<int32_t>(unit->position)).named = true;
  }

  Status select_matching(OpenFile& file) {
    const auto& best = scoped_[file.place]->chunks;
    if (best.empty()) return ok_status();
    KNAPSACK_TRY(const auto chunks, input_.index.chunks(file.number));
    const size_t wanted = file.place < kDeepFiles ? best.size() : file.place < kMiddleFiles ? 2 : 1;
    for (size_t k = 0; k < std::min(best.size(), wanted); ++k) {
      if (best[k] >= chunks.size()) continue;
      const LineRange lines{chunks[best[k]].chunk.start_line, chunks[best[k]].chunk.end_line};
      const bool primary = k == 0 || (k == 1 && file.place < kDeepFiles);
      const SymbolTier tier = primary ? SymbolTier::kPrimary : SymbolTier::kSupporting;
      // The best part of every file before the second best of most: breadth, then depth at the top.
      const double order = static_cast<double>((file.place + 1) * (k + 1));
      select_stretch(file, lines, tier, order, fmt::format("match {} in its file", k + 1));
    }
    return ok_status();
  }

  // All units that the lines touch, and the rest of the lines as a stretch of its own.
  void select_stretch(OpenFile& file, LineRange lines, SymbolTier tier, double order,
                      const std::string& reason) {
    uint32_t at = lines.first;
    for (const FileUnit& unit : file.units) {
      if (unit.lines.last < lines.first) continue;
      if (unit.lines.first > lines.last) break;
      if (unit.lines.first > at) add_stretch(file, {at, unit.lines.first - 1}, tier, order, reason);
      LineRange focus;
      if (unit.lines.last - unit.lines.first + 1 > kFocusLines) {
        focus = {std::max(unit.lines.first, lines.first), std::min(unit.lines.last, lines.last)};
      }
      select(file, unit, tier, order - name_likeness(file.symbols[unit.position].symbol), reason, focus);
      at = std::max(at, unit.lines.last + 1);
    }
    if (at <= lines.last) add_stretch(file, {at, lines.last}, tier, order, reason);
  }

  // How much the name of a part has of the task's words, from 0 to below 1: of the parts of one matching
  // stretch those come first that are called like what the task is about.
  double name_likeness(const code::Symbol& symbol) {
    if (task_words_.empty()) {
      for (const std::string& keyword : input_.task.keywords) {
        for (std::string& word : words_of(keyword, name_words())) task_words_.insert(std::move(word));
      }
    }
    double shared = 0;
    for (const std::string& word : words_of(symbol.qualified_name, name_words())) {
      shared += task_words_.contains(word) ? 1 : 0;
    }
    return shared / (shared + 1);
  }

  static WordOptions name_words() {
    WordOptions options;
    options.stemming = Stemming::kByScript;
    return options;
  }

  void add_stretch(OpenFile& file, LineRange lines, SymbolTier tier, double order,
                   const std::string& reason) {
    if (lines.last - lines.first + 1 < kMinStretch) return;
    SelectedSymbol stretch;
    stretch.path = scoped_[file.place]->path;
    stretch.name = fmt::format("lines {}-{}", lines.first, lines.last);
    stretch.lines = lines;
    stretch.tier = tier;
    stretch.order = order;
    stretch.reason = reason;
    file.stretches.push_back(std::move(stretch));
  }

  // What the primary parts of a file use, in it and in other files of the scope.
  Status select_referenced(OpenFile& file) {
    std::unordered_map<int32_t, std::string> primary;  // unit → its name
    for (const auto& [position, selected] : file.selected) {
      if (selected.tier == SymbolTier::kPrimary) primary.emplace(position, selected.name);
    }
    if (primary.empty()) return ok_status();
    KNAPSACK_TRY(const auto facts, input_.index.facts(file.number));
    std::unordered_map<std::string_view, std::string> users;  // name → the primary part that uses it
    for (const code::Reference& reference : facts.references) {
      if (reference.enclosing == code::kNoSymbol) continue;
      const FileUnit* unit =
          unit_of_symbol(file.units, file.symbols, static_cast<uint32_t>(reference.enclosing));
      if (unit == nullptr) continue;
      const auto user = primary.find(static_cast<int32_t>(unit->position));
      if (user != primary.end()) users.emplace(facts.names[reference.name], user->second);
    }
    for (const FileUnit& unit : file.units) {
      const auto user = users.find(file.symbols[unit.position].symbol.name);
      if (user != users.end() && user->second != file.symbols[unit.position].symbol.qualified_name) {
        select_used(file, unit, user->second, file.place);
      }
    }
    const auto is_used = [&](const code::Reference& reference) {
      return users.contains(facts.names[reference.name]);
    };
    KNAPSACK_TRY(const auto edges, code::references_of(input_.index, file.number, facts, is_used));
    for (const code::ReferenceEdge& edge : edges) {
      OpenFile* target = open_file(edge.file);
      const auto user = users.find(edge.name);
      if (target == nullptr || target == &file || edge.confidence < kMinConfidence || user == users.end())
        continue;
      if (edge.symbol >= target->symbols.size()) continue;
      if (const FileUnit* unit = unit_of_symbol(target->units, target->symbols, edge.symbol)) {
        select_used(*target, *unit, user->second, file.place);
      }
    }
    return ok_status();
  }

  void select_used(OpenFile& file, const FileUnit& unit, const std::string& user, size_t user_place) {
    const bool type = is_type(file.symbols[unit.position].symbol.kind);
    select(file, unit, type ? SymbolTier::kTypeContext : SymbolTier::kSupporting,
           kReferencedOrder + static_cast<double>(user_place), "used by " + user);
  }

  // Tests that assert on what is primary.
  Status select_tests(OpenFile& file) {
    if (file.place >= kDetailedFiles) return ok_status();
    KNAPSACK_TRY(const auto tests, input_.index.tests(file.number));
    if (tests.empty()) return ok_status();
    for (const code::TestCase& test : tests) {
      if (test.symbol == code::kNoSymbol) continue;
      const FileUnit* unit = unit_of_symbol(file.units, file.symbols, static_cast<uint32_t>(test.symbol));
      if (unit == nullptr) continue;
      for (const std::string& name : primary_names()) {
        const bool asserted =
            std::any_of(test.assertions.begin(), test.assertions.end(),
                        [&](const std::string& line) { return code::has_word(line, name); });
        if (!asserted) continue;
        select(file, *unit, SymbolTier::kSupporting, kReferencedOrder + static_cast<double>(file.place),
               "asserts on " + name);
        break;
      }
    }
    return ok_status();
  }

  const std::vector<std::string>& primary_names() {
    if (!primary_names_.empty()) return primary_names_;
    for (const OpenFile& file : files_) {
      for (const auto& [position, selected] : file.selected) {
        if (selected.tier != SymbolTier::kPrimary || primary_names_.size() >= 100) continue;
        primary_names_.push_back(file.symbols[static_cast<size_t>(position)].symbol.name);
      }
    }
    std::sort(primary_names_.begin(), primary_names_.end());
    primary_names_.erase(std::unique(primary_names_.begin(), primary_names_.end()), primary_names_.end());
    return primary_names_;
  }

  void exclude_others(OpenFile& file) {
    if (file.place >= kDetailedFiles) return;
    for (const FileUnit& unit : file.units) {
      const auto position = static_cast<int32_t>(unit.position);
      if (file.selected.contains(position)) continue;
      SelectedSymbol other = make(file, unit);
      other.reason = "neither named nor matched nor used by what is";
      other.order = kReferencedOrder;
      file.selected.emplace(position, std::move(other));
    }
  }

  void collect() {
    context_.symbols.clear();
    for (OpenFile& file : files_) {
      std::vector<SelectedSymbol> all = std::move(file.stretches);
      for (auto& [position, selected] : file.selected) all.push_back(std::move(selected));
      std::stable_sort(all.begin(), all.end(), [](const SelectedSymbol& a, const SelectedSymbol& b) {
        return a.lines.first < b.lines.first;
      });
      for (SelectedSymbol& selected : all) context_.symbols.push_back(std::move(selected));
    }
  }

  const StageInput& input_;
  StageContext& context_;
  std::vector<OpenFile> files_;            // the kept files, in order
  std::vector<const ScopedFile*> scoped_;  // the same, as the scope left them
  std::unordered_map<uint32_t, size_t> by_number_;
  std::vector<std::string> primary_names_;
  std::unordered_set<std::string> task_words_;
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
  for (SelectedSymbol& symbol : context_.symbols) {
    if (symbol.tier == SymbolTier::kExcluded) continue;
    asked.push_back(&symbol);
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
    if (!asked[i]->named) asked[i]->tier = tier;
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

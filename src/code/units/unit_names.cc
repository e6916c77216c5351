#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "code/index/code_documents.h"
#include "code/parse/source_text.h"
#include "code/rank/ranking_signals.h"
#include "code/units/unit_signals.h"
#include "core/ascii.h"
#include "search/query/scorer.h"
#include "text/tokens/token_counter.h"
#include "text/words/words.h"
#include "understand/name_endings.h"

namespace knapsack::code {
namespace {

// What a name counts by where in the task it stands.
double weight_of(SegmentKind kind) {
  switch (kind) {
    case SegmentKind::kTitle:
      return 3;
    case SegmentKind::kInline:
      return 2;
    case SegmentKind::kProse:
      return 1;
    case SegmentKind::kCode:
    case SegmentKind::kTrace:
      return 0.5;
    case SegmentKind::kTemplate:
      return 0;
  }
  return 0;
}

// "get" may be a name and is mostly a word.
constexpr double kPlainWord = 0.35;
// A plain word that much of the code has is one, also in a title: as a share of how rare a word of one file is.
constexpr double kRareWord = 0.5;
constexpr double kPlainOwner = 0.3;
// A class whose name stands in a title, or between backticks, is meant; one of a plain word in a sentence may not be.
constexpr double kNamedOwner = 0.6;
constexpr double kMaxWeight = 3;

bool is_all_lower(std::string_view name) {
  return std::none_of(name.begin(), name.end(), ascii::is_upper);
}

bool is_compound(std::string_view name) {
  WordReader reader(name, {});
  Word word;
  size_t parts = 0;
  while (reader.next(word)) parts += word.kind == WordKind::kPart ? 1 : 0;
  return parts > 1;
}

// The names that a task writes, with the weight of the most telling place.
class WrittenNames {
 public:
  // `known`: what units are called, while this is made.
  WrittenNames(const TaskQuery& task, const std::set<std::string_view>& known) : known_(known) {
    for (const std::string& symbol : task.symbols) symbols_.insert(last_name(symbol));
    for (const std::string& symbol : task.called) calls_.insert(last_name(symbol));
    for (const TaskSegment& segment : task.segments) {
      const double weight = weight_of(segment.kind);
      if (weight > 0) read(segment.text, weight, segment.kind);
      if (segment.kind == SegmentKind::kInline) marked_.emplace(segment.text);
    }
  }

  double weight(std::string_view name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? 0 : found->second;
  }
  // As code: between backticks, or called.
  bool is_marked(std::string_view name) const { return marked_.contains(name); }
  bool is_called(std::string_view name) const { return called_.contains(name); }
  // As the list of symbols has it.
  bool is_function(std::string_view name) const { return calls_.contains(name); }
  // Each time it only tells where a type is: "Plug" of `Plug.Static`.
  bool is_only_place(std::string_view name) const {
    return places_.contains(name) && !others_.contains(name);
  }
  bool is_dotted(const std::string& owner, const std::string& name) const {
    return dotted_.contains({owner, name});
  }

 private:
  static std::string last_name(const std::string& symbol) {
    size_t begin = symbol.size();
    if (symbol.ends_with('!') || symbol.ends_with('?')) --begin;
    while (begin > 0 && ascii::is_identifier(symbol[begin - 1])) --begin;
    return symbol.substr(begin);
  }

  // The name that is meant where this one is written: with its '!' or '?', where a unit is called so. In a sentence the mark
  // may be the sentence's own, which the list of symbols tells; and who leaves it away means the same.
  std::string meant(std::string_view name, std::string_view behind, SegmentKind kind) const {
    std::string marked(name);
    const bool is_block = kind == SegmentKind::kCode || kind == SegmentKind::kTrace;
    if (const char mark = name_mark(name, behind); mark != '\0') {
      marked += mark;
      if (known_.contains(marked) && (is_block || symbols_.contains(marked))) return marked;
      marked.pop_back();
    }
    if (known_.contains(name) || !symbols_.contains(name)) return marked;
    for (const char mark : {'!', '?'}) {
      marked += mark;
      if (known_.contains(marked)) return marked;
      marked.pop_back();
    }
    return marked;
  }

  // `timeout(5000)`, where that is no "file(s)"; a block of code calls much that its task is not about.
  bool is_call(std::string_view name, std::string_view behind, SegmentKind kind) const {
    if (behind.starts_with("()")) return true;
    const bool is_block = kind == SegmentKind::kCode || kind == SegmentKind::kTrace;
    return (behind.starts_with('(') || arity_size(behind) > 0) && !is_block && symbols_.contains(name);
  }

  void read(std::string_view text, double weight, SegmentKind kind) {
    PathRun run;
    std::string before;  // the name that a '.', '::', '#' or '->' joins to the next one
    for (size_t at = 0; at < text.size();) {
      if (text.substr(at).starts_with("--") && (at == 0 || text[at - 1] != '-'))
        read_option(text.substr(at + 2), weight);
      if (!ascii::is_identifier(text[at]) || ascii::is_digit(text[at])) {
        if (ascii::is_digit(text[at])) {
          while (at < text.size() && ascii::is_identifier(text[at])) ++at;
        } else {
          ++at;
        }
        before.clear();
        continue;
      }
      size_t end = at;
      while (end < text.size() && ascii::is_identifier(text[end])) ++end;
      const std::string_view written = text.substr(at, end - at);
      std::string_view behind = text.substr(end);
      if (behind.starts_with('/') && run.is_path(text, end)) {
        at = end;
        before.clear();
        continue;
      }
      const std::string name = meant(written, behind, kind);
      if (name.size() > written.size() && behind.starts_with(name.back())) behind = text.substr(++end);
      const bool is_joined = (at > 1 && text[at - 1] == '-' && ascii::is_letter(text[at - 2])) ||
                             (behind.size() > 1 && behind[0] == '-' && ascii::is_letter(behind[1]));
      if (!is_joined || is_compound(name)) {
        double& known = names_[name];
        known = std::max(known, weight);
      }
      const bool is_marked_name = name.size() > written.size() && symbols_.contains(name);
      if (is_marked_name || is_call(name, behind, kind) ||
          (behind.starts_with('`') && at > 0 && text[at - 1] == '`'))
        marked_.emplace(name);
      if (behind.starts_with('(')) called_.emplace(name);
      if (!before.empty()) dotted_.emplace(before, name);
      const size_t joint = behind.starts_with("::") || behind.starts_with("->") ? 2
                           : behind.starts_with('.') || behind.starts_with('#') ? 1
                                                                                : 0;
      const bool is_place = joint > 0 && behind.size() > joint && ascii::is_upper(behind[joint]);
      (is_place ? places_ : others_).emplace(name);
      before.assign(joint > 0 ? std::string_view(name) : std::string_view());
      at = end + joint;
    }
  }

  // "src" and "stages" of src/stages/judge.cc: where something stands names no code. Each run without blanks is looked at
  // once, however many slashes it has.
  class PathRun {
   public:
    // Whether the run with this slash ends with the name of a file.
    bool is_path(std::string_view text, size_t slash) {
      if (slash < end_) return is_path_;
      end_ = std::min(text.size(), text.find_first_of(" \t\r\n", slash));
      std::string_view run = text.substr(0, end_);
      // The full stop of the sentence begins no extension.
      while (run.size() > slash &&
             std::string_view(".,;:!?)]}'\"`*").find(run.back()) != std::string_view::npos)
        run.remove_suffix(1);
      is_path_ = run.find('.', run.rfind('/')) != std::string_view::npos;
      return is_path_;
    }

   private:
    size_t end_ = 0;
    bool is_path_ = false;
  };

  // "--max-count" is defined as max_count, maxCount, MaxCount or MAX_COUNT, or handled by what is called so.
  void read_option(std::string_view text, double weight) {
    size_t end = 0;
    while (end < text.size() && (ascii::is_letter_or_digit(text[end]) || text[end] == '-')) ++end;
    while (end > 0 && text[end - 1] == '-') --end;
    const std::string_view option = text.substr(0, end);
    if (option.find('-') == std::string_view::npos || !ascii::is_letter(option[0])) return;
    std::string snake, pascal;
    bool starts_part = true;
    for (const char c : option) {
      snake += c == '-' ? '_' : c;
      if (c != '-') pascal += starts_part ? ascii::upper(c) : c;
      starts_part = c == '-';
    }
    std::string camel = pascal;
    camel[0] = ascii::lower(camel[0]);
    for (const std::string& form : {snake, pascal, camel, ascii::upper(snake)}) {
      double& known = names_[form];
      known = std::max(known, weight);
    }
  }

  const std::set<std::string_view>& known_;
  std::set<std::string, std::less<>> symbols_;  // that the task calls by their names, the last parts of them
  std::set<std::string, std::less<>> calls_;    // those of them that it calls
  std::map<std::string, double, std::less<>> names_;
  std::set<std::pair<std::string, std::string>> dotted_;
  std::set<std::string, std::less<>> marked_, called_;
  std::set<std::string, std::less<>> places_, others_;  // before the name of a type; elsewhere
};

// Whether the title is about what something can be told: "an option to hide tasks", "accept a timeout argument".
bool asks_for_option(const TaskQuery& task) {
  constexpr std::string_view kWords[] = {"option", "parameter", "argument", "kwarg", "setting", "flag"};
  if (task.type != TaskType::kFeature) return false;
  for (const TaskSegment& segment : task.segments) {
    if (segment.kind != SegmentKind::kTitle) continue;
    const std::string title = " " + ascii::lower(segment.text);
    for (const std::string_view word : kWords)
      if (title.find(fmt::format(" {}", word)) != std::string::npos) return true;
  }
  return false;
}

class Naming {
 public:
  explicit Naming(UnitInput& input)
      : input_(input),
        names_(names_of(input)),
        written_(input.task, names_),
        asks_for_option_(asks_for_option(input.task)) {
    for (UnitScores* scores :
         {&signals_.words, &signals_.share, &signals_.name, &signals_.dotted, &signals_.owner})
      scores->resize(input.units.size());
    for (size_t i = 0; i < input.units.size(); ++i) {
      const Unit& unit = input.unit(i);
      if (unit.kind == UnitKind::kFunction || unit.kind == UnitKind::kType) count_name(i);
    }
  }

  Result<NameSignals> run() {
    KNAPSACK_CHECK(weigh_terms());
    double best = 0;
    for (size_t i = 0; i < input_.units.size(); ++i) {
      if (!input_.unit(i).is_ranked()) continue;
      add_words(i);
      KNAPSACK_CHECK(add_mentions(i));
      best = std::max(best, signals_.words[i]);
    }
    if (best > 0)
      for (double& score : signals_.words) score /= best;
    return std::move(signals_);
  }

 private:
  static std::set<std::string_view> names_of(const UnitInput& input) {
    std::set<std::string_view> names;
    for (size_t i = 0; i < input.units.size(); ++i) names.insert(input.unit(i).name);
    return names;
  }

  // Others of its name that it could be taken for: tests and prototypes say which one is meant, and the overloads of one
  // type are one thing.
  void count_name(size_t number) {
    const Unit& unit = input_.unit(number);
    const OpenFile& file = input_.file_of(number);
    if (file.file.is_test || unit.symbol == kNoSymbol) return;
    const Symbol& symbol = file.symbols[static_cast<size_t>(unit.symbol)].symbol;
    if (is_test(symbol) || symbol.is_declaration) return;
    if (counted_.emplace(input_.units[number].file, symbol.qualified_name).second) ++same_name_[unit.name];
  }

  static bool is_test(const Symbol& symbol) { return symbol.is_test || symbol.kind == SymbolKind::kTest; }

  // Whether something else of that name is meant: `describe 'content_type'` is no definition of it, but for who asks for
  // tests, and who writes `parent()` means no field.
  Result<bool> is_other_meant(size_t number) {
    const Unit& unit = input_.unit(number);
    const bool has_symbol = unit.symbol != kNoSymbol;
    const bool is_title = input_.task.type != TaskType::kTest && has_symbol &&
                          is_test(input_.file_of(number).symbols[static_cast<size_t>(unit.symbol)].symbol);
    const bool is_value = unit.kind == UnitKind::kBetween && written_.is_function(unit.name);
    if (!is_title && !is_value) return false;
    KNAPSACK_TRY(const auto found, input_.index.find_symbols(unit.name));
    return std::any_of(found.begin(), found.end(), [&](const IndexedSymbol& each) {
      const Symbol& symbol = each.row.symbol;
      return !is_test(symbol) && (is_title || !code::is_value(symbol.kind));
    });
  }

  Status weigh_terms() {
    KNAPSACK_TRY(const search::Index* code, input_.index.collection(kCodeCollection));
    for (const TaskTerm& term : input_.terms.names) {
      KNAPSACK_TRY(const double holding, files_holding(*code, term));
      const auto documents = static_cast<double>(code->documents());
      const double rarity = search::inverse_frequency(documents, holding);
      weights_.emplace(term.text, term.weight * rarity);
      if (rarity < kRareWord * search::inverse_frequency(documents, 1)) common_.insert(term.text);
    }
    return ok_status();
  }

  void add_words(size_t number) {
    const std::string& name = input_.unit(number).name;
    WordReader reader(name, name_words());
    Word word;
    double parts = 0, held = 0;
    while (reader.next(word)) {
      if (word.kind != WordKind::kPart && word.kind != WordKind::kPlain) continue;
      ++parts;
      const auto found = weights_.find(word.text);
      if (found == weights_.end()) continue;
      ++held;
      signals_.words[number] += found->second;
    }
    if (parts > 0) signals_.share[number] = held / parts;
  }

  // The class of a method, whether it stands around it or before its name, and those that this class stands in,
  // innermost first.
  std::vector<std::string> owners_of(size_t number) const {
    const Unit& unit = input_.unit(number);
    const auto& symbols = input_.file_of(number).symbols;
    const bool has_name = unit.symbol != kNoSymbol;
    if (!has_name && unit.owner == kNoSymbol) return {};
    // The name comes first: what stands around a method that is defined outside of its class is a namespace.
    const auto symbol = static_cast<size_t>(has_name ? unit.symbol : unit.owner);
    std::string_view rest = symbols[symbol].symbol.qualified_name;
    std::vector<std::string> owners;
    for (bool is_own_name = has_name; !rest.empty(); is_own_name = false) {
      const size_t dot = rest.rfind('.');
      if (!is_own_name) owners.emplace_back(rest.substr(dot + 1));
      rest = rest.substr(0, dot == std::string_view::npos ? 0 : dot);
    }
    return owners;
  }

  // A group of tests is called after what it tests.
  bool is_titled(size_t number) const {
    const Unit& unit = input_.unit(number);
    const int32_t symbol = unit.symbol != kNoSymbol ? unit.symbol : unit.owner;
    return symbol != kNoSymbol && input_.task.type != TaskType::kTest &&
           input_.file_of(number).symbols[static_cast<size_t>(symbol)].symbol.kind == SymbolKind::kTest;
  }

  double owner_weight(const std::string& owner) const {
    const bool is_plain = is_all_lower(owner) && !is_compound(owner) && !written_.is_marked(owner);
    return std::min(1.0, written_.weight(owner) * (is_plain ? kPlainOwner : 1) / kMaxWeight);
  }

  // "Add an option to Progress": what a class can be told stands where one is made.
  bool takes_options(const Unit& unit, const std::string& owner) const {
    constexpr std::string_view kMakers[] = {"__init__",    "__construct", "initialize",
                                            "constructor", "init",        "new"};
    const bool is_maker = unit.name == owner ||
                          std::find(std::begin(kMakers), std::end(kMakers), unit.name) != std::end(kMakers);
    return asks_for_option_ && is_maker && unit.kind == UnitKind::kFunction &&
           owner_weight(owner) >= kNamedOwner;
  }

  // "matches" in a title may be the function or the plain word; a word that much of the code has is the latter.
  bool is_named(const Unit& unit) const {
    const double weight = unit.name.empty() ? 0 : written_.weight(unit.name);
    if (weight == 0) return false;
    const bool is_compound_name = is_compound(unit.name);
    if (!is_compound_name && unit.name.size() < 3) return false;
    const bool is_plain = !is_compound_name && is_all_lower(unit.name) && !written_.is_marked(unit.name) &&
                          may_be_word(unit.name);
    if (is_plain && is_common(unit.name)) return false;
    const auto same = same_name_.find(unit.name);
    const double others = same == same_name_.end() ? 1 : std::max(1, same->second);
    return weight * (is_plain ? kPlainWord : 1) / std::sqrt(others) >= 1;
  }

  // A vocabulary of two hundred thousand pieces has every word that people use in one: "redirect" is one of
  // them, "singlediode" is not.
  static bool may_be_word(std::string_view name) {
    const auto counter = find_token_counter("o200k");
    return !counter.ok() || (*counter)->count(" " + std::string(name)) == 1;
  }

  // Or so plain that nobody would search for it.
  bool is_common(std::string_view name) const {
    WordReader reader(name, name_words());
    Word word;
    return reader.next(word) && (common_.contains(word.text) || !weights_.contains(word.text));
  }

  Status add_mentions(size_t number) {
    const Unit& unit = input_.unit(number);
    const std::vector<std::string> owners = owners_of(number);
    // Who writes the name of a class means the class; its constructor is called so too.
    const bool is_class_meant =
        !owners.empty() && owners.front() == unit.name && !written_.is_called(unit.name);
    if (!is_class_meant && is_named(unit)) {
      KNAPSACK_TRY(const bool is_other, is_other_meant(number));
      signals_.name[number] = is_other ? 0 : 1;
    }
    if (owners.empty() || is_titled(number)) return ok_status();
    if (takes_options(unit, owners.front()) ||
        (!unit.name.empty() && written_.is_dotted(owners.front(), unit.name))) {
      signals_.dotted[number] = 1;
    } else if (!is_class_meant && unit.kind == UnitKind::kFunction && written_.weight(unit.name) > 0) {
      // "ValidationPipe with transform": a short task has few words that are there by chance.
      signals_.dotted[number] = input_.terms.shortness * owner_weight(owners.front());
    }
    for (size_t i = 0; i < owners.size(); ++i) {
      // Who writes `Plug.Static` means nothing else of `Plug`.
      if (i > 0 && written_.is_only_place(owners[i]) && !written_.is_dotted(owners[i], owners[i - 1]))
        continue;
      signals_.owner[number] = std::max(signals_.owner[number], owner_weight(owners[i]));
    }
    return ok_status();
  }

  UnitInput& input_;
  std::set<std::string_view> names_;  // of all units
  WrittenNames written_;
  const bool asks_for_option_;
  std::map<std::string, double, std::less<>> weights_;  // of stemmed terms
  std::set<std::string, std::less<>> common_;           // likewise
  std::map<std::string, int> same_name_;
  std::set<std::pair<uint32_t, std::string_view>> counted_;  // by file
  NameSignals signals_;
};

}  // namespace

Result<NameSignals> name_signals(UnitInput& input) {
  return Naming(input).run();
}

}  // namespace knapsack::code

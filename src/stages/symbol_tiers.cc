#include "stages/symbol_tiers.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "code/units/unit_signal.h"
#include "code/walk/file_role.h"
#include "stages/stage_constants.h"

namespace knapsack::stages {
namespace {

using code::UnitSignal;

// Its name stands in the task as a name: a plain word that a class is called by as well has less of the signal.
constexpr double kNamedClass = 0.6;

// What the innermost frame gives a unit at least, one of up to three that it may mean, as a share of the most; the next
// one gives less.
constexpr double kInnermostFrame = 0.6;
// A link that surely means a unit, as a share of the best.
constexpr double kSureLink = 0.5;

// What a signal says, for people; nothing where it would not help them.
std::string_view said(UnitSignal signal) {
  switch (signal) {
    case UnitSignal::kFrame:
      return "in the stack trace";
    case UnitSignal::kLinked:
      return "the task links to it";
    case UnitSignal::kQuoted:
      return "the task quotes it";
    case UnitSignal::kMessage:
      return "has a text that the task quotes";
    case UnitSignal::kDottedName:
      return "named with its class";
    case UnitSignal::kName:
      return "named in the task";
    case UnitSignal::kOwner:
      return "its class is named";
    case UnitSignal::kHandedOn:
      return "what is named hands its work to it";
    default:
      return {};
  }
}

bool is_of_its_place(UnitSignal signal) {
  switch (signal) {
    case UnitSignal::kFilePlace:
    case UnitSignal::kFileScore:
    case UnitSignal::kChunk:
    case UnitSignal::kType:
    case UnitSignal::kHead:
    case UnitSignal::kBetween:
    case UnitSignal::kDeclared:
    case UnitSignal::kTest:
    case UnitSignal::kCopy:
      return true;
    default:
      return false;
  }
}

// Whether the unit itself has something of the task, and not only its file.
bool has_own_words(const Score& score) {
  return std::any_of(score.components.begin(), score.components.end(), [](const ScoreComponent& each) {
    const auto signal = code::find_unit_signal(each.name);
    return !signal || !is_of_its_place(*signal);
  });
}

// Whether it is a function with a body that the task calls by its name, or the one that does the work of such a function.
bool is_called(const SelectedSymbol& unit) {
  return unit.kind == code::UnitKind::kFunction && !has_signal(unit.score, UnitSignal::kDeclared) &&
         !has_signal(unit.score, UnitSignal::kCopy) &&
         (has_signal(unit.score, UnitSignal::kName) || has_signal(unit.score, UnitSignal::kDottedName) ||
          has_signal(unit.score, UnitSignal::kHandedOn));
}

// Whether one of the first frames of a stack trace lies in it, or the task names its lines.
bool is_in_trace(const SelectedSymbol& unit, const code::UnitConstants& constants) {
  if (has_signal(unit.score, UnitSignal::kCopy)) return false;
  if (value_of(unit.score, UnitSignal::kLinked) >= kSureLink * constants.linked) return true;
  return unit.kind == code::UnitKind::kFunction &&
         value_of(unit.score, UnitSignal::kFrame) >= constants.frame / static_cast<double>(kShownFrames);
}

// The order of units: what was asked for by name, where the task failed, the rest; imports last.
class UnitOrder {
 public:
  UnitOrder(std::vector<SelectedSymbol>& symbols, const code::UnitConstants& constants, Documents documents)
      : symbols_(symbols), constants_(constants) {
    const bool has_frame = std::any_of(symbols.begin(), symbols.end(), [](const SelectedSymbol& each) {
      return has_signal(each.score, UnitSignal::kFrame) && !is_document(each);
    });
    separates_documents_ = has_frame && documents == Documents::kBehindCode;
  }

  void sort() {
    std::vector<std::pair<Place, SelectedSymbol>> placed;
    placed.reserve(symbols_.size());
    for (SelectedSymbol& each : symbols_) {
      const Place place = place_of(each);
      placed.emplace_back(place, std::move(each));
    }
    std::stable_sort(placed.begin(), placed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 0; i < placed.size(); ++i) symbols_[i] = std::move(placed[i].second);
  }

  // Whether it comes behind the code, whatever its score.
  bool is_behind_code(const SelectedSymbol& each) const {
    return separates_documents_ && !each.asked && !each.named && !leads_trace(each, constants_) &&
           is_document(each);
  }

  // What is shown of documents has no better key than the code that is.
  void put_documents_behind() {
    if (!separates_documents_) return;
    double least = std::numeric_limits<double>::infinity();
    for (const SelectedSymbol& each : symbols_)
      if (each.tier == SymbolTier::kPrimary && !is_behind_code(each)) least = std::min(least, each.key);
    for (SelectedSymbol& each : symbols_)
      if (is_behind_code(each)) each.key = std::min(each.key, least);
  }

 private:
  using Place = std::tuple<bool, bool, bool, double, bool, double>;

  static bool is_document(const SelectedSymbol& each) { return code::role_of(each.path, "").is_prose; }

  Place place_of(const SelectedSymbol& each) const {
    if (each.kind == code::UnitKind::kImports) return {true, !each.asked, !each.named, 0, false, 0};
    const double frame = leads_trace(each, constants_) ? value_of(each.score, UnitSignal::kFrame) : 0;
    return {false, !each.asked, !each.named, -frame, is_behind_code(each), -each.key};
  }

  std::vector<SelectedSymbol>& symbols_;
  const code::UnitConstants& constants_;
  bool separates_documents_ = false;
};

bool may_be_named(const SelectedSymbol& unit) {
  return unit.signature_line > 0 && !unit.heads_type() && !has_signal(unit.score, UnitSignal::kCopy);
}

bool has_named_words(const SelectedSymbol& unit) {
  return has_signal(unit.score, UnitSignal::kNameWords);
}

// A file that ranks among the best and has nothing in the packet: the signatures of what it has best, so that a reader
// knows where else to look.
void name_best_files(std::vector<SelectedSymbol>& symbols, const code::UnitConstants& constants) {
  const double least_place = constants.file_place / static_cast<double>(kNamedFiles);
  std::map<std::string_view, size_t> named;
  for (const SelectedSymbol& each : symbols)
    if (each.tier == SymbolTier::kPrimary || each.tier == SymbolTier::kSupporting)
      named[each.path] = kSignaturesOfFile;
  for (SelectedSymbol& each : symbols) {
    const bool is_of_best = value_of(each.score, UnitSignal::kFilePlace) >= least_place &&
                            !has_signal(each.score, UnitSignal::kTest);
    if (each.tier != SymbolTier::kExcluded || each.judged || !is_of_best || !may_be_named(each) ||
        !has_own_words(each.score) || named[each.path] == kSignaturesOfFile)
      continue;
    ++named[each.path];
    each.tier = SymbolTier::kSupporting;
  }
}

// Which of the units behind the stop are there by their signatures: the next in order that tell something.
class SignatureList {
 public:
  explicit SignatureList(const StageContext& context) {
    for (const ScopedFile& file : context.files)
      if (file.is_named() || file.tier == ScopeTier::kSeed) meant_.insert(file.path);
    for (const Requested& each : context.requested) asked_.insert(each.path);
  }

  void add_shown(const SelectedSymbol& unit) {
    if (!has_signal(unit.score, UnitSignal::kDeclared)) with_body_.insert(unit.own_name());
  }

  bool takes(const SelectedSymbol& unit, double below) {
    // What a header says of a function that is shown tells nothing more.
    const bool is_known =
        has_signal(unit.score, UnitSignal::kDeclared) && with_body_.contains(unit.own_name());
    const bool is_near = below <= kFarBelow || count_ < kNearestSignatures || has_named_words(unit) ||
                         meant_.contains(unit.path) || asked_.contains(unit.path);
    if (!may_be_named(unit) || is_known || !is_near || of_file_[unit.path] == kMostSignaturesOfFile)
      return false;
    // A short unit without a word of the task ranks well for costing little: some may be what the shown ones use, dozens
    // are noise.
    const bool is_first_of_meant = meant_.contains(unit.path) && of_file_[unit.path] == 0;
    const bool is_wordless = !is_first_of_meant && !has_own_words(unit.score);
    const bool is_test = has_signal(unit.score, UnitSignal::kTest);
    if ((is_wordless && wordless_ == kWordlessSignatures) || (is_test && tests_ == kTestSignatures))
      return false;
    ++of_file_[unit.path];
    wordless_ += is_wordless ? 1 : 0;
    tests_ += is_test ? 1 : 0;
    return count_++ < kSignaturesAfterStop || asked_.contains(unit.path);
  }

 private:
  std::set<std::string_view> meant_;      // files that are named, guessed by a model or the best
  std::set<std::string_view> asked_;      // files that a refinement or another source asked for
  std::set<std::string_view> with_body_;  // names of functions that are shown
  std::map<std::string_view, size_t> of_file_;
  size_t count_ = 0, wordless_ = 0, tests_ = 0;
};

// What is missing of a class is what a reader asks for next: all of it is shown where much is, of one that the task names or a
// small one, and where anything is of one that is both.
class ClassCompletion {
 public:
  ClassCompletion(std::vector<SelectedSymbol>& symbols, const code::UnitConstants& constants)
      : symbols_(symbols), constants_(constants) {
    for (const SelectedSymbol& each : symbols_) {
      if (!is_part(each)) continue;
      Class& owner = classes_[place_of(each)];
      owner.cost += each.cost;
      owner.shown += each.tier == SymbolTier::kPrimary ? each.cost : 0;
    }
  }

  void run() {
    for (SelectedSymbol& each : symbols_) {
      if (each.tier == SymbolTier::kPrimary || each.judged || each.related || !is_part(each)) continue;
      const Class& owner = classes_.at(place_of(each));
      if (!is_completed(owner, is_named(each))) continue;
      each.tier = SymbolTier::kPrimary;
      each.reason = is_named(each) ? "with the rest of its class, which the task names"
                                   : "with the rest of its small class";
    }
  }

 private:
  struct Class {
    uint64_t cost = 0, shown = 0;
  };

  // What stands in a class, by the line that opens it, or heads one.
  static bool is_part(const SelectedSymbol& each) {
    return (each.opener.first > 0 || each.heads_type()) && !has_signal(each.score, UnitSignal::kCopy);
  }
  static std::pair<std::string_view, uint32_t> place_of(const SelectedSymbol& each) {
    return {each.path, each.heads_type() ? each.signature_line : each.opener.first};
  }
  bool is_named(const SelectedSymbol& each) const {
    return value_of(each.score, UnitSignal::kOwner) >= kNamedClass * constants_.owner;
  }
  bool is_completed(const Class& owner, bool is_named) const {
    if (is_named && owner.shown > 0 && owner.cost <= kNamedClassTokens) return true;
    if (!is_named && owner.cost > kSmallClassTokens) return false;
    return static_cast<double>(owner.shown) >= constants_.whole_class * static_cast<double>(owner.cost);
  }

  std::vector<SelectedSymbol>& symbols_;
  const code::UnitConstants& constants_;
  std::map<std::pair<std::string_view, uint32_t>, Class> classes_;
};

}  // namespace

std::string reason_of(const Score& score) {
  std::string reasons;
  for (const ScoreComponent& component : score.components) {
    const auto signal = code::find_unit_signal(component.name);
    const std::string_view words = signal ? said(*signal) : std::string_view();
    if (!words.empty()) reasons += fmt::format("{}{}", reasons.empty() ? "" : ", ", words);
  }
  return reasons.empty() ? kHasWords : reasons;
}

bool leads_trace(const SelectedSymbol& unit, const code::UnitConstants& constants) {
  if (value_of(unit.score, UnitSignal::kFrame) < kInnermostFrame * constants.frame) return false;
  return unit.kind != code::UnitKind::kImports && !has_signal(unit.score, UnitSignal::kCopy) &&
         !has_signal(unit.score, UnitSignal::kTest) && !has_signal(unit.score, UnitSignal::kDeclared);
}

void sort_into_tiers(StageContext& context, const code::UnitConstants& constants, Documents documents) {
  std::vector<SelectedSymbol>& symbols = context.symbols;
  const auto is_import = [](const SelectedSymbol& each) { return each.kind == code::UnitKind::kImports; };
  UnitOrder order(symbols, constants, documents);
  order.sort();
  double best = 0;
  bool any = false;
  for (const SelectedSymbol& each : symbols) {
    if (is_import(each) || order.is_behind_code(each)) continue;
    best = any ? std::max(best, each.key) : each.key;
    any = true;
  }
  std::set<std::pair<std::string_view, std::string_view>> earlier;
  for (const Earlier& each : context.earlier) earlier.emplace(each.path, each.name);
  SignatureList signatures(context);
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
    const double stop = std::max({usual, is_called(each) ? constants.stop_named : 0,
                                  is_in_trace(each, constants) ? constants.stop_frame : 0});
    const bool stays = earlier.contains({each.path, each.name});
    if (stays && !each.named && below > stop) each.reason = kInLastPacket;
    if (each.named || stays || below <= stop || leads_trace(each, constants)) {
      each.tier = SymbolTier::kPrimary;
      shown += static_cast<double>(each.cost);
      signatures.add_shown(each);
      continue;
    }
    each.tier = signatures.takes(each, below) ? SymbolTier::kSupporting : SymbolTier::kExcluded;
    each.reason = fmt::format("{:.1f} below the best: stopped", below);
  }
  order.put_documents_behind();
  ClassCompletion(symbols, constants).run();
  name_best_files(symbols, constants);
}

}  // namespace knapsack::stages

#include "stages/precision_helpers.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "code/rank/task_terms.h"
#include "code/references/reference_resolver.h"
#include "code/units/unit_signal.h"
#include "stages/stage_constants.h"

namespace knapsack::stages {
namespace {

using code::UnitKind;
using code::UnitSignal;

class HelperFinder {
 public:
  HelperFinder(const StageInput& input, StageContext& context) : input_(input), context_(context) {}

  Status run() {
    const auto of_any = static_cast<size_t>(kHelpers * code::task_terms(input_.task, {}).shortness);
    find_callers();
    std::vector<SelectedSymbol*> found;
    for (SelectedSymbol& each : context_.symbols) {
      if (found.size() >= std::max(of_any, kHelpersOfMeant)) break;
      if (!can_help(each)) continue;
      KNAPSACK_TRY(const Called* called, called_in(each.path));
      const auto caller = called->find(each.position);
      if (caller == called->end() || (found.size() >= of_any && !is_meant(*caller->second))) continue;
      each.reason = "called by " + caller->second->name;
      found.push_back(&each);
    }
    for (SelectedSymbol* each : found) {
      each->tier = SymbolTier::kPrimary;
      each->related = true;
    }
    return name_the_long();
  }

 private:
  // What the shown functions of a file call in it, by its position, and who calls it first.
  using Called = std::unordered_map<int32_t, const SelectedSymbol*>;

  static bool can_help(const SelectedSymbol& each) {
    return each.tier != SymbolTier::kPrimary && each.cost <= kHelperTokens && is_whole_function(each);
  }

  static bool is_whole_function(const SelectedSymbol& each) {
    const auto is = [&](UnitSignal signal) { return has_signal(each.score, signal); };
    return !each.judged && each.kind == UnitKind::kFunction && !is(UnitSignal::kDeclared) &&
           !is(UnitSignal::kTest) && !is(UnitSignal::kCopy);
  }

  // What is too long to come with its caller is named at least: a reader sees where it goes on.
  Status name_the_long() {
    size_t named = 0;
    for (SelectedSymbol& each : context_.symbols) {
      if (named == kHelpedFunctions) break;
      if (each.tier != SymbolTier::kExcluded || each.cost <= kHelperTokens || !is_whole_function(each))
        continue;
      KNAPSACK_TRY(const Called* called, called_in(each.path));
      const auto caller = called->find(each.position);
      if (caller == called->end()) continue;
      each.tier = SymbolTier::kSupporting;
      each.reason = "called by " + caller->second->name;
      ++named;
    }
    return ok_status();
  }

  // What the task points at, whatever its words: by a trace, a quotation, a message or its name.
  static bool is_meant(const SelectedSymbol& each) {
    const auto is = [&](UnitSignal signal) { return has_signal(each.score, signal); };
    return is(UnitSignal::kFrame) || is(UnitSignal::kQuoted) || is(UnitSignal::kMessage) ||
           is(UnitSignal::kName) || is(UnitSignal::kDottedName);
  }

  // The best functions with something of the task: what the tenth calls is everybody's.
  void find_callers() {
    for (const SelectedSymbol& each : context_.symbols) {
      const bool may_call = each.tier == SymbolTier::kPrimary && each.kind == UnitKind::kFunction &&
                            !each.related && !has_signal(each.score, UnitSignal::kCopy);
      if (may_call && callers_.size() < kHelpedFunctions) callers_.insert(&each);
    }
  }

  Result<const Called*> called_in(const std::string& path) {
    const auto known = called_.find(path);
    if (known != called_.end()) return &known->second;
    Called& called = called_[path];
    std::vector<const SelectedSymbol*> callers;
    for (const SelectedSymbol& each : context_.symbols)
      if (each.path == path && callers_.contains(&each)) callers.push_back(&each);
    const auto file = callers.empty() ? std::nullopt : input_.index.find_file(path);
    if (!file) return &called;
    KNAPSACK_TRY(const code::ParsedFile facts, input_.index.facts(*file));
    KNAPSACK_TRY(const auto targets, input_.index.import_targets(*file, facts.imports.size()));
    KNAPSACK_TRY(const code::ReferenceWorld* world, input_.index.reference_world());
    const code::FileReferences resolver(*world, *file, facts, targets);
    for (const SelectedSymbol* caller : callers) {
      for (const code::Reference& reference : facts.references) {
        const bool is_in = caller->lines.first <= reference.line && reference.line <= caller->lines.last;
        if (!is_in || reference.kind != code::ReferenceKind::kCall) continue;
        const auto meanings = resolver.resolve(reference);
        if (meanings.empty() || meanings.front().confidence < kMinHelperConfidence) continue;
        const code::Definition& meant = meanings.front().definition;
        if (meant.file == *file) called.emplace(static_cast<int32_t>(meant.symbol), caller);
      }
    }
    KNAPSACK_CHECK(input_.index.check_lookups());
    return &called;
  }

  const StageInput& input_;
  StageContext& context_;
  std::unordered_set<const SelectedSymbol*> callers_;
  std::unordered_map<std::string, Called> called_;
};

}  // namespace

Status show_helpers(const StageInput& input, StageContext& context) {
  return HelperFinder(input, context).run();
}

}  // namespace knapsack::stages

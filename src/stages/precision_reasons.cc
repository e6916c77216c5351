#include "stages/precision_reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "code/index/code_documents.h"
#include "code/rank/task_terms.h"
#include "code/units/unit_ranking.h"
#include "code/walk/file_role.h"
#include "core/ascii.h"
#include "search/query/scorer.h"
#include "stages/precision_lines.h"
#include "stages/stage_constants.h"
#include "text/words/words.h"

namespace knapsack::stages {
namespace {

// Between a comment and what it stands above; more say nothing about it.
constexpr uint32_t kMaxAttributes = 8;

bool says_why(code::CommentKind kind) {
  return kind == code::CommentKind::kRationale || kind == code::CommentKind::kTodo ||
         kind == code::CommentKind::kNote;
}

std::string_view name_of(code::CommentKind kind) {
  return kind == code::CommentKind::kRationale ? "reason"
         : kind == code::CommentKind::kTodo    ? "todo"
                                               : "note";
}

class ReasonFinder {
 public:
  ReasonFinder(const StageInput& input, const StageContext& context) : input_(input), context_(context) {}

  Result<std::vector<SelectedSymbol>> run() {
    KNAPSACK_CHECK(weigh_terms());
    if (weights_.empty()) return std::move(found_);
    for (const SelectedSymbol& symbol : context_.symbols) {
      if (symbol.tier == SymbolTier::kPrimary && symbol.kind != code::UnitKind::kImports)
        shown_[symbol.path].push_back(&symbol);
    }
    for (const ScopedFile& file : context_.files) {
      const bool is_near = file.is_named() || (file.rank > 0 && file.rank <= kReasonFiles);
      if (file.kept && is_near) KNAPSACK_CHECK(add_file(file));
    }
    std::stable_sort(found_.begin(), found_.end(), [](const SelectedSymbol& a, const SelectedSymbol& b) {
      return a.score.total > b.score.total;
    });
    size_t worthy = 0;
    for (SelectedSymbol& each : found_) {
      const bool is_worthy = each.score.total >= kMinReason && worthy < kMaxReasons;
      each.tier = is_worthy ? SymbolTier::kPrimary : SymbolTier::kExcluded;
      worthy += is_worthy ? 1 : 0;
      if (!is_worthy) each.reason += each.score.total < kMinReason ? ", too few" : ", behind better ones";
    }
    return std::move(found_);
  }

 private:
  Status weigh_terms() {
    KNAPSACK_TRY(const search::Index* code, input_.index.collection(code::kCodeCollection));
    for (const code::TaskTerm& term : code::task_terms(input_.task, {}).body) {
      KNAPSACK_TRY(const auto counts, code->counts(term.text, search::field_bit(code::kBodyField)));
      if (counts.documents == 0) continue;
      const double weight = term.weight * search::inverse_frequency(static_cast<double>(code->documents()),
                                                                    static_cast<double>(counts.documents));
      weights_.emplace(term.text, weight);
      all_ += weight;
    }
    return ok_status();
  }

  Status add_file(const ScopedFile& file) {
    const auto number = input_.index.find_file(file.path);
    if (!number || (!file.is_named() && is_other_test(*number))) return ok_status();
    KNAPSACK_TRY(const auto comments, input_.index.comments(*number));
    for (const code::Comment& comment : comments) {
      if (!says_why(comment.kind) || comment.end_line - comment.start_line >= kMaxReasonLines) continue;
      std::unordered_set<std::string> shared;
      double weight = 0;
      WordReader words(comment.text, code::body_words());
      Word word;
      while (words.next(word)) {
        const auto known = weights_.find(std::string(word.text));
        if (known != weights_.end() && shared.insert(known->first).second) weight += known->second;
      }
      if (shared.size() < kMinSharedWords || is_shown(file.path, comment)) continue;
      KNAPSACK_CHECK(add(file, *number, comment, weight / all_, shared.size()));
    }
    return ok_status();
  }

  // Why a test does something is of use to who asks about tests.
  bool is_other_test(uint32_t number) const {
    const auto& file = input_.index.file(number);
    return input_.task.type != TaskType::kTest && code::role_of(file.name, file.language).is_test;
  }

  bool is_shown(const std::string& path, const code::Comment& comment) const {
    const auto found = shown_.find(path);
    return found != shown_.end() &&
           std::any_of(found->second.begin(), found->second.end(), [&](const SelectedSymbol* each) {
             return comment.start_line >= each->lines.first && comment.end_line <= each->lines.last;
           });
  }

  // The line that a comment stands above, which is what it is about, behind attributes of its own line each; the last
  // of the comment where it stands alone.
  static uint32_t line_below(const code::TextLines& text, uint32_t last) {
    int open = 0;  // brackets of an attribute that goes on
    for (uint32_t number = last + 1; number <= last + 1 + kMaxAttributes; ++number) {
      if (text.is_blank(number)) return number - 1;
      const std::string_view line = ascii::trim_space(text.line(number));
      const bool is_attribute =
          open > 0 || code::is_remark(line) || (line.starts_with('[') && line.ends_with(']'));
      if (!is_attribute) return number;
      for (const char c : line) open += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    }
    return last + 1;
  }

  // What documents a function or a type is ranked and shown with it.
  static bool documents_definition(const std::vector<code::SymbolRow>& symbols,
                                   const code::Comment& comment) {
    return std::any_of(symbols.begin(), symbols.end(), [&](const code::SymbolRow& row) {
      const code::Symbol& symbol = row.symbol;
      return (code::is_callable(symbol.kind) || code::is_type(symbol.kind)) && symbol.doc_start_line > 0 &&
             symbol.doc_start_line <= comment.end_line && comment.start_line <= symbol.doc_end_line;
    });
  }

  Status add(const ScopedFile& file, uint32_t number, const code::Comment& comment, double share,
             size_t shared) {
    SelectedSymbol made;
    made.path = file.path;
    made.kind = code::UnitKind::kRemarks;
    made.name = fmt::format("{} {}", name_of(comment.kind), comment.start_line);
    made.lines = {comment.start_line, comment.end_line};
    KNAPSACK_TRY(const auto symbols, input_.index.symbols(number));
    if (documents_definition(symbols, comment)) return ok_status();
    const auto text = input_.texts.read(number);
    const code::TextLines lines(text.ok() ? std::string_view(**text) : std::string_view());
    if (text.ok()) made.lines.last = line_below(lines, comment.end_line);
    made.score.components = {{"words", share}};
    if (file.is_named()) made.score.components.push_back({"named file", kNamedPlace});
    if (comment.enclosing != code::kNoSymbol) {
      if (static_cast<size_t>(comment.enclosing) < symbols.size()) {
        const code::Symbol& around = symbols[static_cast<size_t>(comment.enclosing)].symbol;
        // The methods of a type of Rust stand elsewhere.
        const bool is_inside = around.start_line <= comment.start_line && comment.end_line <= around.end_line;
        made.opener =
            is_inside ? LineRange{around.name_line, around.name_line} : opener_of(lines, made.lines, symbols);
        made.reason = fmt::format("in {}, ", around.qualified_name);
        const bool is_named = std::find(input_.task.symbols.begin(), input_.task.symbols.end(),
                                        around.name) != input_.task.symbols.end();
        if (is_named) made.score.components.push_back({"named symbol", kNamedPlace});
      }
    }
    for (const ScoreComponent& component : made.score.components) made.score.total += component.value;
    made.cost = code::estimated_cost(comment.text);
    made.reason += fmt::format("a {} with {} words of the task", name_of(comment.kind), shared);
    found_.push_back(std::move(made));
    return ok_status();
  }

  const StageInput& input_;
  const StageContext& context_;
  std::unordered_map<std::string, double> weights_;  // of the task's words
  double all_ = 0;
  std::unordered_map<std::string_view, std::vector<const SelectedSymbol*>> shown_;
  std::vector<SelectedSymbol> found_;
};

}  // namespace

Result<std::vector<SelectedSymbol>> find_reasons(const StageInput& input, const StageContext& context) {
  return ReasonFinder(input, context).run();
}

}  // namespace knapsack::stages

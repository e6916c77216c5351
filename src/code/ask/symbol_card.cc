// view_symbol_card: a name with its source, who uses it, what it uses and what tests it.
#include <algorithm>
#include <map>

#include "code/ask/code_references.h"
#include "code/ask/code_views.h"

namespace knapsack::code {
namespace {

// A name that more things share than this is told by the first of them; the others are listed.
constexpr size_t kMaxSources = 5;
// References that are likelier something else are noise in a list of callees.
constexpr float kMinConfidence = 0.3F;

class CardMaker {
 public:
  CardMaker(CodeIndex& index, const SnapshotTexts& texts) : index_(index), texts_(texts) {}

  Result<SymbolCard> make(const std::string& name) {
    KNAPSACK_TRY(RefsView refs, view_refs(index_, name));
    card_.name = name;
    card_.similar = std::move(refs.similar);
    for (SymbolLine& line : refs.definitions) card_.definitions.push_back({std::move(line), ""});
    for (size_t i = 0; i < std::min(card_.definitions.size(), kMaxSources); ++i) {
      CardDefinition& definition = card_.definitions[i];
      definition.source = source_of(definition.symbol);
      KNAPSACK_CHECK(add_callees(definition.symbol));
    }
    KNAPSACK_CHECK(sort_uses(refs.uses));
    if (card_.tests.empty() && !card_.definitions.empty()) KNAPSACK_CHECK(add_test_files());
    return std::move(card_);
  }

 private:
  // A file that changed since it was indexed has no lines that could be trusted.
  std::string source_of(const SymbolLine& line) const {
    const auto file = index_.find_file(line.path);
    if (!file) return "";
    const auto text = texts_.read(index_.file(*file));
    const Symbol& symbol = line.row.symbol;
    if (!text.ok() || symbol.end_byte > text->size() || symbol.start_byte >= symbol.end_byte) return "";
    const size_t line_start = text->rfind('\n', symbol.start_byte) + 1;  // npos + 1 is 0
    return text->substr(line_start, symbol.end_byte - line_start);
  }

  Status add_callees(const SymbolLine& line) {
    const auto file = index_.find_file(line.path);
    if (!file) return ok_status();
    KNAPSACK_TRY(const auto uses, references_within(index_, *file, line.row.position));
    for (const ReferenceUse& use : uses) {
      if (use.confidence < kMinConfidence) continue;
      KNAPSACK_TRY(const std::vector<SymbolRow>* symbols, symbols_of(use.target_file));
      if (use.target_symbol >= symbols->size()) continue;
      const Symbol& meant = (*symbols)[use.target_symbol].symbol;
      const std::string& path = index_.file(use.target_file).name;
      if (path == line.path && meant.qualified_name == line.row.symbol.qualified_name) continue;
      add_once(card_.callees, {path, meant.name_line, meant.qualified_name, use.count, use.confidence});
    }
    return ok_status();
  }

  Result<const std::vector<SymbolRow>*> symbols_of(uint32_t file) {
    auto [known, is_new] = symbols_.try_emplace(file);
    if (is_new) {
      KNAPSACK_TRY(known->second, index_.symbols(file));
    }
    return &known->second;
  }

  static void add_once(std::vector<CardUse>& list, CardUse use) {
    for (CardUse& known : list) {
      if (known.path != use.path || known.name != use.name) continue;
      known.count += use.count;
      known.confidence = std::max(known.confidence, use.confidence);
      return;
    }
    list.push_back(std::move(use));
  }

  // Callers by confidence, as they come; those in tests apart.
  Status sort_uses(const std::vector<UseLine>& uses) {
    KNAPSACK_TRY(const ReferenceWorld* world, index_.reference_world());
    for (const UseLine& use : uses) {
      const auto file = index_.find_file(use.path);
      const bool in_test = file && *file < world->tests.size() && world->tests[*file];
      add_once(in_test ? card_.tests : card_.callers,
               {use.path, use.line, use.enclosing, use.count, use.confidence});
    }
    return ok_status();
  }

  Status add_test_files() {
    const auto file = index_.find_file(card_.definitions.front().symbol.path);
    if (!file) return ok_status();
    KNAPSACK_TRY(const DepsView deps, view_deps(index_, *file, 1));
    for (const LinkLine& test : deps.tests) card_.tests.push_back({test.path, 1, "", 1, test.confidence});
    return ok_status();
  }

  CodeIndex& index_;
  const SnapshotTexts& texts_;
  SymbolCard card_;
  std::map<uint32_t, std::vector<SymbolRow>> symbols_;
};

}  // namespace

Result<SymbolCard> view_symbol_card(CodeIndex& index, const SnapshotTexts& texts, const std::string& name) {
  return CardMaker(index, texts).make(name);
}

}  // namespace knapsack::code

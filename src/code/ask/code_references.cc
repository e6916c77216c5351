#include "code/ask/code_references.h"

#include <algorithm>
#include <map>

#include "code/index/code_documents.h"
#include "code/parse/text_names.h"
#include "search/query/query.h"
#include "text/words/words.h"

namespace knapsack::code {
namespace {

// Whose symbols name classes: `has_many :blog_posts`.
constexpr std::string_view kSpellsOtherwise = "ruby";

// The word of a name that the fewest bodies hold: the whole of an identifier, not its parts.
std::string search_word(std::string_view name) {
  WordReader words(name, body_words());
  std::string best;
  Word word;
  while (words.next(word)) {
    if (best.empty() || word.kind == WordKind::kWhole) best = word.text;
  }
  return best;
}

// A file's references, ready to be resolved.
struct ReferencingFile {
  ParsedFile facts;
  std::vector<std::vector<ImportTarget>> targets;
};

Result<std::unique_ptr<ReferencingFile>> open_file(CodeIndex& index, uint32_t file) {
  auto opened = std::make_unique<ReferencingFile>();
  KNAPSACK_TRY(opened->facts, index.facts(file));
  KNAPSACK_TRY(opened->targets, index.import_targets(file, opened->facts.imports.size()));
  return opened;
}

ReferenceUse use_of(uint32_t file, const ParsedFile& facts, const Reference& reference) {
  ReferenceUse use;
  use.file = file;
  use.line = reference.line;
  use.count = reference.count;
  use.kind = reference.kind;
  use.qualifier = facts.names[reference.qualifier];
  if (reference.enclosing >= 0 && static_cast<size_t>(reference.enclosing) < facts.symbols.size()) {
    use.enclosing = facts.symbols[static_cast<size_t>(reference.enclosing)].qualified_name;
  }
  return use;
}

}  // namespace

Result<std::vector<uint32_t>> files_that_mention(CodeIndex& index, std::string_view name) {
  std::vector<uint32_t> files;
  const std::string word = search_word(name);
  if (word.empty()) {
    for (uint32_t file = 0; file < index.files().size(); ++file) {
      if (index.file(file).blob != 0) files.push_back(file);
    }
    return files;
  }
  KNAPSACK_TRY(const search::Index* bodies, index.collection(kCodeCollection));
  search::Query query(1);
  query[0].term = word;
  query[0].fields = search::field_bit(kBodyField);
  KNAPSACK_TRY(const auto hits, search::top_k(*bodies, query, search::Scorer{}, index.files().size() + 1));
  for (const search::Hit& hit : hits) {
    const auto holding = index.files_of_key(hit.key);
    files.insert(files.end(), holding.begin(), holding.end());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Result<std::vector<ReferenceUse>> references_to(
    CodeIndex& index, std::string_view name,
    const std::function<bool(uint32_t file, uint32_t symbol)>& wanted) {
  KNAPSACK_TRY(auto files, files_that_mention(index, name));
  for (const std::string& other : text_spellings(name)) {
    KNAPSACK_TRY(const auto more, files_that_mention(index, other));
    for (const uint32_t file : more)
      if (index.file(file).language == kSpellsOtherwise) files.push_back(file);
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return references_in(index, name, files, wanted);
}

Result<std::vector<ReferenceUse>> references_in(
    CodeIndex& index, std::string_view name, const std::vector<uint32_t>& files,
    const std::function<bool(uint32_t file, uint32_t symbol)>& wanted) {
  KNAPSACK_TRY(const ReferenceWorld* world, index.reference_world());
  std::vector<ReferenceUse> uses;
  for (const uint32_t file : files) {
    KNAPSACK_TRY(const ParsedFile names, index.rows().references(index.file(file).blob));
    const auto found = std::find(names.names.begin(), names.names.end(), name);
    if (found == names.names.end()) continue;
    const auto number = static_cast<uint32_t>(found - names.names.begin());
    KNAPSACK_TRY(const auto opened, open_file(index, file));
    const FileReferences resolver(*world, file, opened->facts, opened->targets);
    for (const Reference& reference : opened->facts.references) {
      if (reference.name != number) continue;
      ReferenceUse use = use_of(file, opened->facts, reference);
      for (const Meaning& meaning : resolver.resolve(reference)) {
        if (wanted && !wanted(meaning.definition.file, meaning.definition.symbol)) continue;
        use.target_file = meaning.definition.file;
        use.target_symbol = meaning.definition.symbol;
        use.confidence = meaning.confidence;
        use.reason = meaning.reason;
        break;
      }
      if (!wanted || use.confidence > 0) uses.push_back(std::move(use));
    }
  }
  KNAPSACK_CHECK(index.check_lookups());
  std::stable_sort(uses.begin(), uses.end(), [](const ReferenceUse& a, const ReferenceUse& b) {
    if (a.confidence != b.confidence) return a.confidence > b.confidence;
    return a.file != b.file ? a.file < b.file : a.line < b.line;
  });
  return uses;
}

Result<std::vector<ReferenceUse>> references_within(CodeIndex& index, uint32_t file, uint32_t symbol) {
  KNAPSACK_TRY(const ReferenceWorld* world, index.reference_world());
  KNAPSACK_TRY(const auto opened, open_file(index, file));
  const std::vector<Symbol>& symbols = opened->facts.symbols;
  // Parents come before their children.
  std::vector<bool> inside(symbols.size(), false);
  for (size_t i = symbol; i < symbols.size(); ++i) {
    const int32_t parent = symbols[i].parent;
    inside[i] = i == symbol || (parent >= 0 && inside[static_cast<size_t>(parent)]);
  }
  const FileReferences resolver(*world, file, opened->facts, opened->targets);
  std::vector<ReferenceUse> uses;
  for (const Reference& reference : opened->facts.references) {
    const auto around = static_cast<size_t>(reference.enclosing);
    if (reference.enclosing < 0 || around >= inside.size() || !inside[around]) continue;
    const auto meanings = resolver.resolve(reference);
    if (meanings.empty()) continue;
    ReferenceUse use = use_of(file, opened->facts, reference);
    use.target_file = meanings.front().definition.file;
    use.target_symbol = meanings.front().definition.symbol;
    use.confidence = meanings.front().confidence;
    use.reason = meanings.front().reason;
    uses.push_back(std::move(use));
  }
  KNAPSACK_CHECK(index.check_lookups());
  return uses;
}

Result<std::vector<ReferenceEdge>> references_of(CodeIndex& index, uint32_t file) {
  KNAPSACK_TRY(const ParsedFile facts, index.facts(file));
  return references_of(index, file, facts, [](const Reference&) { return true; });
}

Result<std::vector<ReferenceEdge>> references_of(
    CodeIndex& index, uint32_t file, const ParsedFile& facts,
    const std::function<bool(const Reference& reference)>& wanted) {
  KNAPSACK_TRY(const ReferenceWorld* world, index.reference_world());
  KNAPSACK_TRY(const auto targets, index.import_targets(file, facts.imports.size()));
  const FileReferences resolver(*world, file, facts, targets);
  std::map<std::pair<uint32_t, uint32_t>, ReferenceEdge> edges;
  for (const Reference& reference : facts.references) {
    if (!wanted(reference)) continue;
    const auto meanings = resolver.resolve(reference);
    if (meanings.empty() || meanings.front().definition.file == file) continue;
    const Meaning& best = meanings.front();
    ReferenceEdge& edge = edges[{best.definition.file, best.definition.symbol}];
    edge.file = best.definition.file;
    edge.symbol = best.definition.symbol;
    edge.name = facts.names[reference.name];
    edge.count += reference.count;
    edge.confidence = std::max(edge.confidence, best.confidence);
  }
  KNAPSACK_CHECK(index.check_lookups());
  std::vector<ReferenceEdge> sorted;
  for (auto& [place, edge] : edges) sorted.push_back(std::move(edge));
  return sorted;
}

}  // namespace knapsack::code

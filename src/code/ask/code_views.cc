#include "code/ask/code_views.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "code/ask/code_references.h"
#include "code/parse/language.h"
#include "code/references/test_links.h"
#include "core/dotted_name.h"

namespace knapsack::code {
namespace {

std::vector<SymbolLine> lines_of(const CodeIndex& index, std::vector<IndexedSymbol> symbols) {
  std::vector<SymbolLine> lines;
  for (IndexedSymbol& symbol : symbols)
    lines.push_back({index.file(symbol.file).name, std::move(symbol.row)});
  return lines;
}

std::vector<LinkLine> lines_of(const CodeIndex& index, const std::vector<FileLink>& links) {
  std::vector<LinkLine> lines;
  for (const FileLink& link : links) lines.push_back({index.file(link.file).name, link.confidence, 1});
  return lines;
}

bool says_why_or_what_next(CommentKind kind) {
  return kind == CommentKind::kRationale || kind == CommentKind::kTodo || kind == CommentKind::kNote ||
         kind == CommentKind::kIssueReference;
}

class TestLinks {
 public:
  static Result<TestLinks> open(CodeIndex& index) {
    KNAPSACK_TRY(const ReferenceWorld* world, index.reference_world());
    return TestLinks(index, *world);
  }

  Result<std::vector<TestLink>> subjects_of(uint32_t test) {
    KNAPSACK_TRY(const ParsedFile facts, index_.facts(test));
    KNAPSACK_TRY(const auto targets, index_.import_targets(test, facts.imports.size()));
    std::vector<ImportTarget> imports;
    for (const auto& each : targets) imports.insert(imports.end(), each.begin(), each.end());
    KNAPSACK_TRY(const auto references, references_of(index_, test));
    std::vector<TestUse> uses;
    for (const ReferenceEdge& edge : references) {
      uses.push_back({edge.file, edge.confidence * static_cast<float>(edge.count)});
    }
    return linker_.subjects(test, imports, uses);
  }

  Result<std::vector<FileLink>> tests_of(uint32_t subject) {
    KNAPSACK_TRY(const auto importers, index_.importers_of(subject));
    std::vector<uint32_t> candidates;
    for (const FileLink& importer : importers) {
      if (linker_.is_test(importer.file)) candidates.push_back(importer.file);
    }
    for (uint32_t file = 0; file < index_.files().size(); ++file) {
      if (linker_.is_test(file) && linker_.name_match(file, subject) > 0) candidates.push_back(file);
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    std::vector<FileLink> tests;
    for (const uint32_t test : candidates) {
      KNAPSACK_TRY(const auto subjects, subjects_of(test));
      for (const TestLink& link : subjects) {
        if (link.file == subject) tests.push_back({test, link.confidence});
      }
    }
    std::stable_sort(tests.begin(), tests.end(),
                     [](const FileLink& a, const FileLink& b) { return a.confidence > b.confidence; });
    return tests;
  }

  bool is_test(uint32_t file) const { return linker_.is_test(file); }

 private:
  TestLinks(CodeIndex& index, const ReferenceWorld& world) : index_(index), linker_(world.files) {}

  CodeIndex& index_;
  TestLinker linker_;
};

}  // namespace

Result<SymbolsView> view_symbols(CodeIndex& index, const std::string& name) {
  SymbolsView view;
  view.name = name;
  KNAPSACK_TRY(auto symbols, index.find_symbols(name));
  view.symbols = lines_of(index, std::move(symbols));
  if (view.symbols.empty()) {
    KNAPSACK_TRY(view.similar, similar_name(index, name));
  }
  return view;
}

Result<OutlineView> view_outline(CodeIndex& index, uint32_t file) {
  const FileRow& row = index.file(file);
  OutlineView view;
  view.path = row.name;
  view.language = row.language;
  view.file_class = row.file_class;
  view.bytes = row.size;
  KNAPSACK_TRY(const BlobRow* blob, index.blob(file));
  if (blob == nullptr) return view;
  view.lines = blob->lines;
  view.tokens = blob->tokens;
  if (blob->fallback != FallbackReason::kNone) view.fallback = to_string(blob->fallback);
  KNAPSACK_TRY(view.symbols, index.symbols(file));
  KNAPSACK_TRY(auto comments, index.comments(file));
  for (Comment& comment : comments) {
    if (says_why_or_what_next(comment.kind)) view.remarks.push_back(std::move(comment));
  }
  KNAPSACK_TRY(const FileMetadata* described, index.file_metadata(file));
  if (described != nullptr) view.described = *described;
  return view;
}

Result<RefsView> view_refs(CodeIndex& index, const std::string& name) {
  RefsView view;
  view.name = name;
  KNAPSACK_TRY(auto definitions, index.find_symbols(name));
  const std::string_view plain = last_name(name);
  // "Cart.total" asks for the uses of that total, "total" for those of any.
  std::function<bool(uint32_t, uint32_t)> wanted;
  if (plain.size() != name.size()) {
    wanted = [&](uint32_t file, uint32_t symbol) {
      return std::any_of(definitions.begin(), definitions.end(), [&](const IndexedSymbol& each) {
        return each.file == file && each.row.position == symbol;
      });
    };
  }
  KNAPSACK_TRY(const auto uses, references_to(index, plain, wanted));
  std::unordered_map<uint32_t, std::vector<SymbolRow>> symbols;  // of the files that are meant
  for (const ReferenceUse& use : uses) {
    UseLine& line = view.uses.emplace_back();
    line.path = index.file(use.file).name;
    line.line = use.line;
    line.count = use.count;
    line.kind = use.kind;
    line.qualifier = use.qualifier;
    line.enclosing = use.enclosing;
    line.confidence = use.confidence;
    if (use.confidence > 0) {
      line.reason = to_string(use.reason);
      line.target_path = index.file(use.target_file).name;
      auto [meant, is_new] = symbols.try_emplace(use.target_file);
      if (is_new) {
        KNAPSACK_TRY(meant->second, index.symbols(use.target_file));
      }
      if (use.target_symbol < meant->second.size()) {
        line.target_name = meant->second[use.target_symbol].symbol.qualified_name;
      }
    }
  }
  view.definitions = lines_of(index, std::move(definitions));
  if (view.definitions.empty() && view.uses.empty()) {
    KNAPSACK_TRY(view.similar, similar_name(index, name));
  }
  return view;
}

namespace {

// Below, another thing of the same name is meant as often.
constexpr float kLikelyMeant = 0.5F;
// Definitions of a file that are looked for elsewhere.
constexpr size_t kMaxLookedFor = 12;

void add_link(CodeIndex& index, uint32_t file, float confidence, std::map<std::string, float>& links) {
  float& best = links[index.file(file).name];
  best = std::max(best, confidence);
}

std::vector<LinkLine> without(const std::map<std::string, float>& links, const std::vector<LinkLine>& known) {
  std::vector<LinkLine> lines;
  for (const auto& [path, confidence] : links) {
    const bool is_known = std::any_of(known.begin(), known.end(),
                                      [&wanted = path](const LinkLine& line) { return line.path == wanted; });
    if (!is_known) lines.push_back({path, confidence, 1});
  }
  return lines;
}

// What imports say nothing of, because the language finds it by its name.
Status add_uses_by_name(CodeIndex& index, uint32_t file, DepsView& view) {
  const Language* language = find_language(index.file(file).language);
  if (language == nullptr) return ok_status();
  const ReferenceRules& rules = reference_rules(language->name);
  view.finds_by_name =
      rules.family != 0 && (!rules.must_import || rules.package != ReferenceRules::Package::kNone);
  if (!view.finds_by_name) return ok_status();
  std::map<std::string, float> uses, used_by;
  KNAPSACK_TRY(const auto edges, references_of(index, file));
  for (const ReferenceEdge& edge : edges)
    if (edge.confidence >= kLikelyMeant) add_link(index, edge.file, edge.confidence, uses);
  view.uses = without(uses, view.imports);
  KNAPSACK_TRY(const auto symbols, index.symbols(file));
  size_t looked_for = 0;
  for (uint32_t position = 0; position < symbols.size() && looked_for < kMaxLookedFor; ++position) {
    if (symbols[position].symbol.parent != kNoSymbol && !is_type(symbols[position].symbol.kind)) continue;
    ++looked_for;
    const auto meant = [&](uint32_t of, uint32_t symbol) { return of == file && symbol == position; };
    KNAPSACK_TRY(const auto found, references_to(index, symbols[position].symbol.name, meant));
    for (const ReferenceUse& use : found)
      if (use.file != file && use.confidence >= kLikelyMeant)
        add_link(index, use.file, use.confidence, used_by);
  }
  view.used_by = without(used_by, view.importers);
  return ok_status();
}

}  // namespace

Result<DepsView> view_deps(CodeIndex& index, uint32_t file, uint32_t depth) {
  DepsView view;
  view.path = index.file(file).name;
  KNAPSACK_TRY(const auto imports, index.imports_of(file));
  view.imports = lines_of(index, imports);
  KNAPSACK_TRY(const auto importers, index.importers_of(file));
  view.importers = lines_of(index, importers);
  KNAPSACK_CHECK(add_uses_by_name(index, file, view));
  if (depth > 1) {
    const uint32_t seeds[] = {file};
    KNAPSACK_TRY(const auto reached, neighbourhood(index, seeds, depth, index.files().size()));
    for (const auto& each : reached) {
      if (each.distance > 1) view.farther.push_back({index.file(each.file).name, 0, each.distance});
    }
  }
  KNAPSACK_TRY(auto links, TestLinks::open(index));
  if (links.is_test(file)) {
    KNAPSACK_TRY(const auto subjects, links.subjects_of(file));
    for (const TestLink& link : subjects)
      view.subjects.push_back({index.file(link.file).name, link.confidence, 1});
  } else {
    KNAPSACK_TRY(const auto tests, links.tests_of(file));
    view.tests = lines_of(index, tests);
  }
  KNAPSACK_TRY(view.co_changes, co_change_lines(index, file));
  return view;
}

}  // namespace knapsack::code

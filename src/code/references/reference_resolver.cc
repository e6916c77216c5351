#include "code/references/reference_resolver.h"

#include <algorithm>

#include "code/references/reference_ranking.h"
#include "code/walk/file_class.h"
#include "core/paths.h"

namespace knapsack::code {
namespace {

namespace confidence = reference_confidence;

bool is_self(std::string_view part) {
  return part == "self" || part == "this" || part == "cls" || part == "Self" || part == "static" ||
         part == "@";
}

bool is_super(std::string_view part) {
  return part == "super" || part == "base" || part == "parent";
}

bool fits(ReferenceKind reference, SymbolKind symbol) {
  if (symbol == SymbolKind::kTest) return false;
  if (reference != ReferenceKind::kType) return true;
  return is_type(symbol) || symbol == SymbolKind::kType || symbol == SymbolKind::kModule ||
         symbol == SymbolKind::kMacro;
}

// What never is in a repository, but would be guessed at by its members' names.
bool is_standard_library(std::string_view qualifier) {
  const std::string_view first = qualifier.substr(0, qualifier.find('.'));
  return first == "std" || first == "core" || first == "alloc";
}

}  // namespace

ReferenceWorld::ReferenceWorld(std::span<const ResolverFile> all_files, FindDefinitions find_definitions)
    : files(all_files), find(std::move(find_definitions)) {
  families.reserve(files.size());
  tests.reserve(files.size());
  for (const ResolverFile& file : files) {
    families.push_back(file.language == nullptr ? uint8_t{0} : reference_rules(file.language->name).family);
    tests.push_back(is_test_path(file.path));
  }
}

FileReferences::FileReferences(const ReferenceWorld& world, uint32_t number, const ParsedFile& file,
                               std::span<const std::vector<ImportTarget>> targets)
    : world_(world),
      number_(number),
      file_(file),
      rules_(
          reference_rules(world.files[number].language == nullptr ? "" : world.files[number].language->name)),
      bindings_(rules_, world.files, file.imports, targets) {
  for (const Reference& reference : file.references) {
    const std::string_view name = file.names[reference.name];
    if (reference.kind == ReferenceKind::kCall || reference.kind == ReferenceKind::kType)
      mentioned_.insert(name);
    if (reference.kind != ReferenceKind::kType || reference.enclosing == kNoSymbol) continue;
    const Symbol& symbol = file.symbols[static_cast<size_t>(reference.enclosing)];
    if (is_type(symbol.kind)) bases_[symbol.qualified_name].push_back(name);
  }
}

std::vector<Meaning> FileReferences::resolve(const Reference& reference) const {
  Query query;
  query.name = file_.names[reference.name];
  query.qualifier = dotted(file_.names[reference.qualifier]);
  query.kind = reference.kind;
  query.enclosing = reference.enclosing;
  query.all = definitions(query.name);
  Ranking ranking;
  if (rules_.family == 0) return {};
  if (query.kind == ReferenceKind::kText) {
    add_named_in_text(query, ranking);
    return ranking.take();
  }
  const std::string_view first = std::string_view(query.qualifier).substr(0, query.qualifier.find('.'));
  // In Rust `super` is the module around this one, elsewhere what the type inherits.
  const bool is_rust = rules_.language == "rust";
  query.is_super = !is_rust && is_super(first);
  const bool is_own = is_self(first) || query.is_super;
  const bool is_alone = first.size() == query.qualifier.size();
  if (file_.names[reference.qualifier].empty()) {
    resolve_unqualified(query, ranking);
  } else if (is_rust && is_alone && (first == "super" || first == "crate")) {
    add_rust_module(query, ranking);
  } else if (is_own && is_alone) {
    resolve_member(query, ranking);
  } else {
    if (is_own) query.qualifier.erase(0, first.size() + 1);
    resolve_qualified(query, ranking);
  }
  if (query.kind == ReferenceKind::kCall && ranking.has_declarations_only())
    add_implementations(query, ranking);
  return ranking.take();
}

void FileReferences::resolve_unqualified(const Query& query, Ranking& ranking) const {
  if (add_enclosing_scope(query, ranking)) return;
  if (const Binding* const binding = bindings_.find(query.name)) {
    if (add_binding(*binding, "", query, ranking)) return;
  }
  if (rules_.implicit_members && !query.all.empty()) {
    if (add_enclosing_type(query, ranking) || add_inherited(query, ranking)) return;
  }
  if (add_same_package(query, ranking)) return;
  if (add_opened(query, ranking)) return;
  add_by_name_alone(query, ranking);
}

void FileReferences::resolve_member(const Query& query, Ranking& ranking) const {
  if (!query.is_super && add_enclosing_type(query, ranking)) return;
  if (add_inherited(query, ranking)) return;
  // The base of a base is not known here, but a member that the type itself lacks comes from one.
  add_own_guess(query, has_bases(query) ? confidence::kMentioned : confidence::kMemberByName, ranking);
}

void FileReferences::resolve_qualified(const Query& query, Ranking& ranking) const {
  if (is_standard_library(query.qualifier)) return;
  std::string_view rest;
  if (const Binding* const binding = bindings_.find_prefix(query.qualifier, rest)) {
    if (add_binding(*binding, rest, query, ranking)) return;
  }
  if (add_members_of(query.qualifier, query, confidence::kVisible, ReferenceReason::kQualifierType, ranking))
    return;
  if (rules_.language == "cpp" && add_namespace(query, ranking)) return;
  // A Go method calls its receiver what it likes; a member of that name in the same type is the better bet.
  if (rules_.language == "go" && query.qualifier.size() <= 2 && add_enclosing_type(query, ranking)) return;
  add_receiver_guess(query, confidence::kMemberByName, ranking);
}

// The innermost scope that defines the name wins, as it does in every language.
bool FileReferences::add_enclosing_scope(const Query& query, Ranking& ranking) const {
  const std::string_view around = enclosing_name(query);
  std::vector<Definition> best;
  size_t best_depth = 0;
  for (const Definition& definition : in_file(query.all, number_)) {
    if (!is_candidate(definition, query.kind) || is_member(definition.kind)) continue;
    const std::string_view scope = parent_part(definition.qualified_name);
    const bool is_around =
        scope.empty() || around == scope || (around.starts_with(scope) && around[scope.size()] == '.');
    if (!is_around || (!best.empty() && scope.size() < best_depth)) continue;
    if (scope.size() > best_depth) best.clear();
    best_depth = scope.size();
    best.push_back(definition);
  }
  return ranking.add(best, confidence::kCertain, ReferenceReason::kEnclosingScope);
}

bool FileReferences::add_enclosing_type(const Query& query, Ranking& ranking) const {
  const std::string_view around = enclosing_name(query);
  const auto members = [&](std::span<const Definition> among, std::string_view type, bool elsewhere) {
    std::vector<Definition> found;
    for (const Definition& definition : among) {
      if (parent_part(definition.qualified_name) != type || !is_candidate(definition, query.kind)) continue;
      const bool is_here = definition.file == number_;
      if (elsewhere ? !is_here && is_same_package(definition.file) : is_here) found.push_back(definition);
    }
    return found;
  };
  for (std::string_view type = around; !type.empty(); type = parent_part(type)) {
    const std::vector<Definition> here = members(in_file(query.all, number_), type, false);
    if (ranking.add(here, confidence::kCertain, ReferenceReason::kEnclosingType)) return true;
    if (rules_.package == ReferenceRules::Package::kNone) continue;
    // Another part of the type: a partial class, a method beside its struct.
    const std::vector<Definition> elsewhere = members(scanned(query.all, number_), type, true);
    if (ranking.add(elsewhere, confidence::kVisible, ReferenceReason::kEnclosingType)) return true;
  }
  return false;
}

bool FileReferences::add_inherited(const Query& query, Ranking& ranking) const {
  const std::string_view around = enclosing_name(query);
  for (std::string_view type = around; !type.empty(); type = parent_part(type)) {
    const auto bases = bases_.find(type);
    if (bases == bases_.end()) continue;
    for (const std::string_view base : bases->second) {
      if (base == last_part(type)) continue;
      if (add_members_of(base, query, confidence::kProbable, ReferenceReason::kInherited, ranking))
        return true;
    }
  }
  return false;
}

bool FileReferences::add_same_package(const Query& query, Ranking& ranking) const {
  if (rules_.package == ReferenceRules::Package::kNone) return false;
  std::vector<Definition> found;
  size_t innermost = 0;
  for (const Definition& definition : scanned(query.all, number_)) {
    if (is_member(definition.kind) || !is_candidate(definition, query.kind)) continue;
    if (!is_visible_package(definition.file)) continue;
    const size_t depth = world_.files[definition.file].package.size();
    if (depth > innermost) found.clear();
    innermost = std::max(innermost, depth);
    if (depth == innermost) found.push_back(definition);
  }
  return ranking.add(found, confidence::kVisible, ReferenceReason::kSamePackage);
}

bool FileReferences::is_candidate(const Definition& definition, ReferenceKind kind) const {
  return world_.families[definition.file] == rules_.family && fits(kind, definition.kind);
}

bool FileReferences::has_bases(const Query& query) const {
  const std::string_view around = enclosing_name(query);
  for (std::string_view type = around; !type.empty(); type = parent_part(type)) {
    if (bases_.find(type) != bases_.end()) return true;
  }
  return false;
}

bool FileReferences::is_same_package(uint32_t other) const {
  const ResolverFile& own = world_.files[number_];
  const ResolverFile& file = world_.files[other];
  switch (rules_.package) {
    case ReferenceRules::Package::kNone:
      return false;
    case ReferenceRules::Package::kFolder:
      return folder_of(own.path) == folder_of(file.path) && own.package == file.package;
    case ReferenceRules::Package::kDeclared:
      return own.package == file.package && !own.package.empty();
  }
  return false;
}

bool FileReferences::is_visible_package(uint32_t other) const {
  if (is_same_package(other)) return true;
  const std::string_view own = world_.files[number_].package, outer = world_.files[other].package;
  return rules_.sees_packages_around && !outer.empty() && own.size() > outer.size() &&
         own.starts_with(outer) && own[outer.size()] == '.';
}

std::string_view FileReferences::enclosing_name(const Query& query) const {
  if (query.enclosing == kNoSymbol) return "";
  return file_.symbols[static_cast<size_t>(query.enclosing)].qualified_name;
}

}  // namespace knapsack::code

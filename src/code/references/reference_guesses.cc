// The rules of reference resolution that go by names: of types, of receivers, or of the thing alone.
#include <algorithm>

#include "code/references/reference_ranking.h"
#include "core/ascii.h"
#include "core/paths.h"
#include "core/split.h"

namespace knapsack::code {
namespace {

namespace confidence = reference_confidence;

// A name as a variable of its type would be written: without case and underscores.
std::string variable_form(std::string_view name) {
  std::string form;
  for (const char c : name) {
    if (c == '_') continue;
    form += ascii::lower(c);
  }
  return form;
}

// Whether a variable of this name may well be of this type: `reader` of a JsonReader, `sb` of a
// StringBuilder.
bool is_akin(std::string_view variable, std::string_view type) {
  if (variable.size() > 2 && variable_form(type).ends_with(variable)) return true;
  std::string initials;
  for (const char c : type) {
    if (ascii::is_upper(c)) initials += static_cast<char>(c - 'A' + 'a');
  }
  return !initials.empty() && initials == variable;
}

}  // namespace

// Members of a type or module that is known by its name, the likeliest of that name: in this file, visible,
// or anywhere.
bool FileReferences::add_members_of(std::string_view type, const Query& query, float sureness,
                                    ReferenceReason reason, Ranking& ranking) const {
  std::vector<Definition> here;
  std::vector<Definition> visible;
  std::vector<Definition> anywhere;
  const std::string_view last = last_part(type);
  for (const Definition& definition : scanned(query.all, number_)) {
    if (!is_candidate(definition, query.kind)) continue;
    const std::string_view scope = parent_part(definition.qualified_name);
    const bool is_of_type = scope == type ||
                            (scope.ends_with(type) && scope[scope.size() - type.size() - 1] == '.') ||
                            (!scope.empty() && last_part(scope) == last);
    // A file is a module of its name where the language says so.
    const std::string_view path = world_.files[definition.file].path;
    const bool is_of_file =
        rules_.language == "rust" && scope.empty() &&
        (stem_of(path) == last || (stem_of(path) == "mod" && base_name(folder_of(path)) == last));
    if (!is_of_type && !is_of_file) continue;
    if (definition.file == number_) {
      here.push_back(definition);
    } else if (is_visible_package(definition.file) || bindings_.opened(definition.file) > 0) {
      visible.push_back(definition);
    } else {
      anywhere.push_back(definition);
    }
  }
  if (ranking.add(here, std::max(sureness, confidence::kVisible), reason)) return true;
  if (ranking.add(visible, sureness, reason)) return true;
  return ranking.add(anywhere, std::min(sureness, confidence::kProbable), reason);
}

// A namespace that macros open leaves no trace in the names of what it holds; by habit it is called like the
// folder of its headers.
bool FileReferences::add_namespace(const Query& query, Ranking& ranking) const {
  std::vector<Definition> found;
  const std::string_view last = last_part(query.qualifier);
  for (const Definition& definition : scanned(query.all, number_)) {
    if (is_member(definition.kind) || !is_guessable(definition, query.kind)) continue;
    if (!parent_part(definition.qualified_name).empty()) continue;
    bool is_there = false;
    for_each_part(folder_of(world_.files[definition.file].path), "/",
                  [&](std::string_view part) { is_there |= part == last; });
    if (is_there) found.push_back(definition);
  }
  return found.size() <= kMaxMeanings &&
         ranking.add(found, confidence::kProbable, ReferenceReason::kQualifierType);
}

// `super::f()` and `crate::f()`: of this file where a module is written inside it, else of the crate, which
// is below the same top folder.
bool FileReferences::add_rust_module(const Query& query, Ranking& ranking) const {
  std::vector<Definition> here;
  std::vector<Definition> near;
  for (const Definition& definition : scanned(query.all, number_)) {
    if (is_member(definition.kind) || !is_guessable(definition, query.kind)) continue;
    const std::string_view path = world_.files[definition.file].path;
    if (definition.file == number_) {
      here.push_back(definition);
    } else if (shared_folders(path, world_.files[number_].path) > 0) {
      near.push_back(definition);
    }
  }
  if (ranking.add(here, confidence::kVisible, ReferenceReason::kEnclosingScope)) return true;
  return near.size() <= kMaxMeanings &&
         ranking.add(near, confidence::kProbable, ReferenceReason::kSamePackage);
}

// What may be a member of some type.
std::vector<Definition> FileReferences::guessable_members(const Query& query) const {
  std::vector<Definition> members;
  // What is called is a method where there is one; a field of that name is its setting.
  const bool calls_method =
      query.kind == ReferenceKind::kCall &&
      std::any_of(query.all.begin(), query.all.end(), [&](const Definition& definition) {
        return definition.kind == SymbolKind::kMethod && is_guessable(definition, query.kind);
      });
  for (const Definition& definition : query.all) {
    const bool is_local =
        definition.kind == SymbolKind::kFunction || definition.kind == SymbolKind::kVariable;
    // What is registered by name is a method of nothing that is known.
    const bool is_free =
        definition.kind != SymbolKind::kMethod && parent_part(definition.qualified_name).empty();
    if (is_local || is_free) continue;
    if (calls_method && definition.kind == SymbolKind::kField) continue;
    if (is_guessable(definition, query.kind)) members.push_back(definition);
  }
  return members;
}

// A receiver whose type is unknown: a variable that is called like the type, or a type that this file uses.
bool FileReferences::add_receiver_guess(const Query& query, float by_name, Ranking& ranking) const {
  if (query.all.size() > kMaxGuessed) return false;
  const std::string receiver = variable_form(last_part(query.qualifier));
  std::vector<Definition> named;
  std::vector<Definition> akin;
  std::vector<Definition> called_alike;
  std::vector<Definition> mentioned;
  std::vector<Definition> others;
  for (const Definition& definition : guessable_members(query)) {
    const std::string_view type = last_part(parent_part(definition.qualified_name));
    if (!receiver.empty() && receiver != "?" && variable_form(type) == receiver) {
      named.push_back(definition);
    } else if (mentioned_.find(type) != mentioned_.end()) {
      (is_akin(receiver, type) ? akin : mentioned).push_back(definition);
    } else {
      (receiver.size() > 2 && is_akin(receiver, type) ? called_alike : others).push_back(definition);
    }
  }
  if (ranking.add(named, confidence::kReceiver, ReferenceReason::kReceiverName)) return true;
  if (ranking.add(akin, confidence::kReceiver, ReferenceReason::kReceiverName)) return true;
  if (called_alike.size() <= kMaxMeanings &&
      ranking.add(called_alike, confidence::kMentioned, ReferenceReason::kReceiverName))
    return true;
  if (ranking.add(mentioned, confidence::kMentioned, ReferenceReason::kReceiverMention)) return true;
  if (others.size() > kMaxMeanings) return false;
  const auto reason = others.size() == 1 ? ReferenceReason::kUniqueName : ReferenceReason::kSharedName;
  return ranking.add(others, by_name, reason);
}

// A member of the object itself that is in no part of its type or bases that is known here. Other types that the file
// mentions are those of other objects.
void FileReferences::add_own_guess(const Query& query, float by_name, Ranking& ranking) const {
  if (query.all.size() > kMaxGuessed) return;
  std::vector<Definition> own;
  std::vector<Definition> others;
  const bool inherits = has_bases(query);
  for (const Definition& definition : guessable_members(query)) {
    const std::string_view type = last_part(parent_part(definition.qualified_name));
    if (is_own_type(type, query)) {
      own.push_back(definition);
    } else if (inherits || mentioned_.find(type) == mentioned_.end()) {
      others.push_back(definition);
    }
  }
  if (ranking.add(own, confidence::kMentioned, ReferenceReason::kReceiverMention)) return;
  if (others.size() > kMaxMeanings) return;
  const auto reason = others.size() == 1 ? ReferenceReason::kUniqueName : ReferenceReason::kSharedName;
  ranking.add(others, by_name, reason);
}

// The type around the reference, written on in another file, or a base of it.
bool FileReferences::is_own_type(std::string_view name, const Query& query) const {
  for (std::string_view type = enclosing_name(query); !type.empty(); type = parent_part(type)) {
    if (!query.is_super && last_part(type) == name) return true;
    const auto bases = bases_.find(type);
    if (bases == bases_.end()) continue;
    if (std::find(bases->second.begin(), bases->second.end(), name) != bases->second.end()) return true;
  }
  return false;
}

void FileReferences::add_by_name_alone(const Query& query, Ranking& ranking) const {
  if (query.all.size() > kMaxGuessed) return;
  std::vector<Definition> found;
  for (const Definition& definition : query.all) {
    const bool can_be_plain = !is_member(definition.kind) || rules_.implicit_members;
    if (can_be_plain && is_guessable(definition, query.kind)) found.push_back(definition);
  }
  drop_constructors(found);
  if (found.size() > kMaxMeanings) return;
  const auto reason = found.size() == 1 ? ReferenceReason::kUniqueName : ReferenceReason::kSharedName;
  ranking.add(found, rules_.must_import ? confidence::kUnimported : confidence::kGlobal, reason);
}

// "shop.Order" is in a file below shop/ or called so, "UsersController" with "show" a member of that class: the parts
// before the name stand, in their order, among the folders, the file's name and the scopes around the definition.
void FileReferences::add_named_in_text(const Query& query, Ranking& ranking) const {
  if (query.all.size() > kMaxGuessed) return;
  std::vector<Definition> found;
  for (const Definition& definition : query.all) {
    if (!is_guessable(definition, query.kind)) continue;
    const std::string_view scope = parent_part(definition.qualified_name);
    // A plain word means a type.
    if (query.qualifier.empty() && (!is_type(definition.kind) || !scope.empty())) continue;
    std::vector<std::string_view> around;
    const std::string_view path = world_.files[definition.file].path;
    for_each_part(folder_of(path), "/", [&](std::string_view part) { around.push_back(part); });
    around.push_back(stem_of(path));
    for_each_part(scope, ".", [&](std::string_view part) { around.push_back(part); });
    size_t at = 0;
    bool all = true;
    for_each_part(query.qualifier, ".", [&](std::string_view part) {
      const std::string wanted = variable_form(part);
      while (at < around.size() && variable_form(around[at]) != wanted) ++at;
      all = all && at < around.size();
      if (all) ++at;
    });
    if (all) found.push_back(definition);
  }
  if (found.size() <= kMaxMeanings) ranking.add(found, confidence::kReceiver, ReferenceReason::kNamedInText);
}

// A call of an interface's method runs one of a type that has it.
void FileReferences::add_implementations(const Query& query, Ranking& ranking) const {
  if (query.all.size() > kMaxGuessed) return;
  std::vector<Definition> found;
  for (const Definition& definition : query.all) {
    if (definition.kind == SymbolKind::kMethod && !definition.is_declaration &&
        is_guessable(definition, query.kind))
      found.push_back(definition);
  }
  if (found.size() < kMaxMeanings)
    ranking.add(found, confidence::kMentioned, ReferenceReason::kImplementation);
}

// What is not a test does not use one.
bool FileReferences::is_guessable(const Definition& definition, ReferenceKind kind) const {
  return is_candidate(definition, kind) && (world_.tests[number_] || !world_.tests[definition.file]);
}

}  // namespace knapsack::code

// The rules of reference resolution that follow imports.
#include <algorithm>

#include "code/references/reference_ranking.h"
#include "core/paths.h"
#include "text/file_kinds.h"

namespace knapsack::code {
namespace {

namespace confidence = reference_confidence;

// A definition of the name in the very file corroborates an import that was only probable.
constexpr float kCorroborated = 0.6F;

float weight(const ImportTarget& target) {
  return target.confidence >= kCorroborated ? 1.0F : target.confidence;
}

bool concerns(const Binding& binding, const ImportTarget& target) {
  return target.name == binding.name || target.name == kWholeModule;
}

}  // namespace

// A binding settles the matter even when it leads nowhere: the name comes from outside the snapshot then.
bool FileReferences::add_binding(const Binding& binding, std::string_view rest, const Query& query,
                                 Ranking& ranking) const {
  if (binding.targets.empty()) return true;
  const bool is_plain = query.qualifier.empty();
  if (is_plain && !binding.is_module) return add_imported_name(binding, query, ranking);
  if (is_plain) return add_default_import(binding, query, ranking);
  if (binding.is_module) return add_imported_module(binding, rest, query, ranking);
  return add_imported_type(binding, rest, query, ranking);
}

bool FileReferences::add_imported_name(const Binding& binding, const Query& query, Ranking& ranking) const {
  const std::span<const Definition> all =
      binding.original == query.name ? query.all : definitions(binding.original);
  bool is_found = false;
  for (const ImportTarget& target : binding.targets) {
    if (!concerns(binding, target)) continue;
    std::vector<Definition> top;
    std::vector<Definition> inner;  // `import static a.B.c`
    for (const Definition& definition : in_file(all, target.file)) {
      if (!is_candidate(definition, query.kind)) continue;
      (parent_part(definition.qualified_name).empty() ? top : inner).push_back(definition);
    }
    const std::vector<Definition>& found = top.empty() ? inner : top;
    is_found |= ranking.add(found, confidence::kCertain * weight(target), ReferenceReason::kImportedName);
  }
  if (is_found) return true;
  add_reexported(binding, all, "", query, ranking);
  return true;
}

// The target has it from a file of its own folder or below, as an __init__.py or an index.ts does.
bool FileReferences::add_reexported(const Binding& binding, std::span<const Definition> all,
                                    std::string_view rest, const Query& query, Ranking& ranking) const {
  if (all.size() > kMaxGuessed) return false;
  // Of a name that is a module its own folder counts, not the package around it.
  const auto is_own = [&](const ImportTarget& target) {
    return !binding.is_module || target.name == binding.name;
  };
  std::vector<Definition> below;
  for (const Definition& definition : all) {
    if (!is_candidate(definition, query.kind) || definition.file == number_) continue;
    const std::string_view scope = parent_part(definition.qualified_name);
    if (rest.empty() ? is_member(definition.kind) : last_part(scope) != last_part(rest)) continue;
    const bool is_there =
        std::any_of(binding.targets.begin(), binding.targets.end(), [&](const ImportTarget& target) {
          const std::string_view folder = folder_of(world_.files[target.file].path);
          return concerns(binding, target) && is_own(target) &&
                 is_below(world_.files[definition.file].path, folder);
        });
    if (is_there) below.push_back(definition);
  }
  return below.size() <= kMaxMeanings &&
         ranking.add(below, confidence::kProbable, ReferenceReason::kReexported);
}

// `import Icon from "./icon"` means what that file exports by default: by habit something of the same name,
// or of the file's. In other languages a module's name alone means no definition.
bool FileReferences::add_default_import(const Binding& binding, const Query& query, Ranking& ranking) const {
  if (rules_.family != reference_rules("javascript").family) return true;
  for (const ImportTarget& target : binding.targets) {
    const std::string_view stem = stem_of(world_.files[target.file].path);
    for (const std::string_view name : {query.name, stem}) {
      std::vector<Definition> found;
      for (const Definition& definition : in_file(definitions(name), target.file)) {
        const bool is_top = parent_part(definition.qualified_name).empty();
        if (is_top && is_candidate(definition, query.kind)) found.push_back(definition);
      }
      if (ranking.add(found, confidence::kCertain * weight(target), ReferenceReason::kImportedName))
        return true;
    }
  }
  add_reexported(binding, query.all, "", query, ranking);
  return true;
}

bool FileReferences::add_imported_module(const Binding& binding, std::string_view rest, const Query& query,
                                         Ranking& ranking) const {
  bool is_found = false;
  for (const ImportTarget& target : binding.targets) {
    // Of a name that is a module its own file counts, not the package around it.
    if (binding.name != kWholeModule && target.name != binding.name) continue;
    std::vector<Definition> found;
    for (const Definition& definition : in_file(query.all, target.file)) {
      if (!is_candidate(definition, query.kind)) continue;
      const std::string_view scope = parent_part(definition.qualified_name);
      const bool is_there =
          rest.empty() ? definition.kind != SymbolKind::kField : last_part(scope) == last_part(rest);
      if (is_there) found.push_back(definition);
    }
    // Functions of the module itself come before methods of its types.
    if (rest.empty()) {
      std::vector<Definition> top;
      for (const Definition& definition : found) {
        if (parent_part(definition.qualified_name).empty()) top.push_back(definition);
      }
      if (!top.empty()) found = std::move(top);
    }
    // All files of a package were candidates; the one that defines the name is the one.
    is_found |= ranking.add(found, confidence::kCertain * weight(target), ReferenceReason::kImportedModule);
  }
  if (is_found) return true;
  add_reexported(binding, query.all, rest, query, ranking);
  return true;
}

bool FileReferences::add_imported_type(const Binding& binding, std::string_view rest, const Query& query,
                                       Ranking& ranking) const {
  const std::string_view type = rest.empty() ? binding.original : last_part(rest);
  bool is_found = false;
  for (const ImportTarget& target : binding.targets) {
    if (!concerns(binding, target)) continue;
    std::vector<Definition> found;
    for (const Definition& definition : in_file(query.all, target.file)) {
      if (!is_candidate(definition, query.kind)) continue;
      if (last_part(parent_part(definition.qualified_name)) == type) found.push_back(definition);
    }
    is_found |= ranking.add(found, confidence::kCertain * weight(target), ReferenceReason::kImportedType);
  }
  if (is_found) return true;
  return add_members_of(type, query, confidence::kProbable, ReferenceReason::kImportedType, ranking);
}

// Everything that a wildcard import or an include makes visible. In C and C++ a header's declaration leads to
// the source that defines it: the one of its name, or the only one.
bool FileReferences::add_opened(const Query& query, Ranking& ranking) const {
  if (bindings_.all_opened().empty()) return false;
  std::vector<Definition> opened;
  float sureness = 0;
  std::vector<Definition> defined;
  std::vector<Definition> paired;
  const bool has_headers = rules_.language == "c" || rules_.language == "cpp";
  const bool scan_all = query.all.size() <= kMaxGuessed;
  const auto look_at = [&](const Definition& definition) {
    if (!is_candidate(definition, query.kind)) return;
    if (definition.kind == SymbolKind::kMethod && !rules_.implicit_members) return;
    const float open = bindings_.opened(definition.file);
    if (open > 0) {
      opened.push_back(definition);
      sureness = std::max(sureness, open);
    } else if (has_headers && !definition.is_declaration && definition.is_exported) {
      const std::string_view path = world_.files[definition.file].path;
      const bool is_paired =
          std::any_of(bindings_.all_opened().begin(), bindings_.all_opened().end(), [&](const auto& entry) {
            const std::string_view header = world_.files[entry.first].path;
            return header_kind(header) != HeaderKind::kNone && stem_of(header) == stem_of(path);
          });
      (is_paired ? paired : defined).push_back(definition);
    }
  };
  if (scan_all) {
    for (const Definition& definition : query.all) look_at(definition);
  } else {
    for (const auto& [file, open] : bindings_.all_opened()) {
      for (const Definition& definition : in_file(query.all, file)) look_at(definition);
    }
    std::sort(opened.begin(), opened.end(), [](const Definition& a, const Definition& b) {
      return a.file != b.file ? a.file < b.file : a.symbol < b.symbol;
    });
  }
  for (auto* const found : {&opened, &defined, &paired}) drop_constructors(*found);
  const bool is_declared = std::any_of(
      opened.begin(), opened.end(), [](const Definition& definition) { return definition.is_declaration; });
  if (!paired.empty()) {
    ranking.add(paired, confidence::kVisible, ReferenceReason::kIncludedHeader);
    ranking.add(opened, confidence::kVisible * confidence::kDeclaration, ReferenceReason::kWildcardImport);
    return true;
  }
  if (is_declared && defined.size() == 1) {
    ranking.add(defined, confidence::kProbable, ReferenceReason::kIncludedHeader);
    ranking.add(opened, confidence::kProbable * confidence::kDeclaration, ReferenceReason::kWildcardImport);
    return true;
  }
  if (opened.size() > kMaxMeanings) return true;
  const float open_weight = sureness >= kCorroborated ? 1.0F : sureness;
  return ranking.add(opened, confidence::kVisible * open_weight, ReferenceReason::kWildcardImport);
}

}  // namespace knapsack::code

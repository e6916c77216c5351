#include "code/references/reference_ranking.h"

#include <algorithm>

namespace knapsack::code {

std::span<const Definition> in_file(std::span<const Definition> all, uint32_t file) {
  const auto begin =
      std::partition_point(all.begin(), all.end(), [&](const Definition& one) { return one.file < file; });
  const auto end =
      std::partition_point(begin, all.end(), [&](const Definition& one) { return one.file == file; });
  return {begin, end};
}

std::span<const Definition> scanned(std::span<const Definition> all, uint32_t file) {
  return all.size() <= kMaxScanned ? all : in_file(all, file);
}

void drop_constructors(std::vector<Definition>& found) {
  std::vector<std::string_view> types;
  for (const Definition& definition : found)
    if (is_type(definition.kind)) types.push_back(definition.qualified_name);
  if (types.empty()) return;
  std::erase_if(found, [&](const Definition& definition) {
    const std::string_view type = parent_part(definition.qualified_name);
    return definition.kind == SymbolKind::kMethod &&
           last_part(type) == last_part(definition.qualified_name) &&
           std::find(types.begin(), types.end(), type) != types.end();
  });
}

bool FileReferences::Ranking::add(std::span<const Definition> found, float confidence,
                                  ReferenceReason reason) {
  if (found.empty()) return false;
  const auto declarations = std::count_if(
      found.begin(), found.end(), [](const Definition& definition) { return definition.is_declaration; });
  const size_t defined = found.size() - static_cast<size_t>(declarations);
  const auto share = confidence / static_cast<float>(std::max<size_t>(defined, 1));
  const auto declared_share = defined > 0 ? share * reference_confidence::kDeclaration
                                          : confidence / static_cast<float>(found.size());
  for (const Definition& definition : found) {
    const float own = definition.is_declaration ? declared_share : share;
    const auto same = std::find_if(meanings_.begin(), meanings_.end(), [&](const Meaning& meaning) {
      return meaning.definition.file == definition.file && meaning.definition.symbol == definition.symbol;
    });
    if (same == meanings_.end()) meanings_.push_back({definition, own, reason});
  }
  return true;
}

bool FileReferences::Ranking::has_declarations_only() const {
  return !meanings_.empty() && std::all_of(meanings_.begin(), meanings_.end(), [](const Meaning& meaning) {
    return meaning.definition.is_declaration;
  });
}

std::vector<Meaning> FileReferences::Ranking::take() {
  std::sort(meanings_.begin(), meanings_.end(), [](const Meaning& a, const Meaning& b) {
    if (a.confidence != b.confidence) return a.confidence > b.confidence;
    if (a.definition.file != b.definition.file) return a.definition.file < b.definition.file;
    return a.definition.symbol < b.definition.symbol;
  });
  if (meanings_.size() > kMaxMeanings) meanings_.resize(kMaxMeanings);
  return std::move(meanings_);
}

std::string_view to_string(ReferenceReason reason) {
  switch (reason) {
    case ReferenceReason::kEnclosingScope:
      return "enclosing scope";
    case ReferenceReason::kEnclosingType:
      return "enclosing type";
    case ReferenceReason::kInherited:
      return "inherited";
    case ReferenceReason::kImportedName:
      return "imported name";
    case ReferenceReason::kImportedModule:
      return "imported module";
    case ReferenceReason::kImportedType:
      return "imported type";
    case ReferenceReason::kReexported:
      return "re-exported";
    case ReferenceReason::kSamePackage:
      return "same package";
    case ReferenceReason::kWildcardImport:
      return "wildcard import";
    case ReferenceReason::kIncludedHeader:
      return "included header";
    case ReferenceReason::kQualifierType:
      return "qualifier names its type";
    case ReferenceReason::kReceiverName:
      return "receiver is called like its type";
    case ReferenceReason::kReceiverMention:
      return "its type is used in this file";
    case ReferenceReason::kUniqueName:
      return "only definition of the name";
    case ReferenceReason::kSharedName:
      return "one of several of the name";
    case ReferenceReason::kNamedInText:
      return "named in a text";
    case ReferenceReason::kImplementation:
      return "implements what is called";
  }
  return "";
}

}  // namespace knapsack::code

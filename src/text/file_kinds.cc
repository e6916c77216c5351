#include "text/file_kinds.h"

#include <unordered_map>
#include <unordered_set>

namespace knapsack {
namespace {

template <class Visit>
void for_each_listed(std::string_view list, Visit visit) {
  while (!list.empty()) {
    const size_t end = list.find(' ');
    if (end != 0) visit(list.substr(0, end));
    list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
  }
}

}  // namespace

ExtensionKind extension_kind(std::string_view extension) {
  static const auto known = [] {
    std::unordered_map<std::string_view, ExtensionKind> kinds;
    for (const LanguageFiles& kind : kLanguageFiles) {
      for_each_listed(kind.extensions, [&](std::string_view each) {
        kinds.emplace(each, kind.is_source ? ExtensionKind::kSource : ExtensionKind::kOther);
      });
    }
    return kinds;
  }();
  const auto found = known.find(extension);
  return found == known.end() ? ExtensionKind::kUnknown : found->second;
}

bool is_known_file_name(std::string_view name) {
  static const auto known = [] {
    std::unordered_set<std::string_view> names;
    for (const LanguageFiles& kind : kLanguageFiles)
      for_each_listed(kind.names, [&](std::string_view each) { names.insert(each); });
    return names;
  }();
  return known.count(name) > 0;
}

HeaderKind header_kind(std::string_view path) {
  const size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return HeaderKind::kNone;
  const std::string_view extension = path.substr(dot + 1);
  for (const std::string_view each : {"h", "hh", "hpp", "hxx", "h++", "cuh"})
    if (extension == each) return HeaderKind::kDeclarations;
  for (const std::string_view each : {"inl", "ipp", "tpp", "txx"})
    if (extension == each) return HeaderKind::kBodies;
  return HeaderKind::kNone;
}

}  // namespace knapsack

#include "code/references/reference_bindings.h"

#include <algorithm>
#include <array>

#include "code/parse/source_text.h"
#include "core/paths.h"

namespace knapsack::code {
namespace {

using Package = ReferenceRules::Package;

constexpr std::array<ReferenceRules, 23> kRules = {{
    {.language = ""},
    {.language = "python", .family = 1, .must_import = true},
    {.language = "notebook", .family = 1, .must_import = true},
    {.language = "javascript", .family = 2, .must_import = true},
    {.language = "jsx", .family = 2, .must_import = true},
    {.language = "typescript", .family = 2, .must_import = true},
    {.language = "tsx", .family = 2, .must_import = true},
    {.language = "go", .family = 3, .must_import = true, .package = Package::kFolder},
    {.language = "rust", .family = 4, .must_import = true},
    {.language = "java",
     .family = 5,
     .implicit_members = true,
     .must_import = true,
     .names_last_part = true,
     .package = Package::kDeclared},
    {.language = "kotlin",
     .family = 5,
     .implicit_members = true,
     .must_import = true,
     .names_last_part = true,
     .package = Package::kDeclared},
    {.language = "scala",
     .family = 5,
     .implicit_members = true,
     .must_import = true,
     .names_last_part = true,
     .package = Package::kDeclared},
    {.language = "c", .family = 6, .opens = true},
    {.language = "cpp", .family = 6, .implicit_members = true, .opens = true},
    {.language = "csharp",
     .family = 7,
     .implicit_members = true,
     .opens = true,
     .package = Package::kDeclared,
     .sees_packages_around = true},
    {.language = "ruby", .family = 8, .implicit_members = true, .opens = true},
    {.language = "php",
     .family = 9,
     .must_import = true,
     .opens = true,
     .names_last_part = true,
     .package = Package::kDeclared},
    {.language = "swift", .family = 10, .implicit_members = true, .opens = true},
    {.language = "bash", .family = 11, .opens = true},
    {.language = "lua", .family = 12, .opens = true},
    {.language = "elixir",
     .family = 13,
     .implicit_members = true,
     .must_import = true,
     .opens = true,
     .names_last_part = true},
    {.language = "haskell", .family = 14, .must_import = true, .opens = true},
    {.language = "zig", .family = 15, .must_import = true},
}};

}  // namespace

const ReferenceRules& reference_rules(std::string_view language) {
  const auto found = std::find_if(kRules.begin(), kRules.end(),
                                  [&](const ReferenceRules& rules) { return rules.language == language; });
  return found == kRules.end() ? kRules[0] : *found;
}

std::string dotted(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_identifier(c) || c == '?' || c == '!') {
      result += c;
    } else if (!result.empty() && result.back() != '.' &&
               (c == '.' || c == ':' || c == '\\' || c == '/' || c == '-')) {
      result += '.';
    }
  }
  while (result.ends_with('.')) result.pop_back();
  return result;
}

ImportBindings::ImportBindings(const ReferenceRules& rules, std::span<const ResolverFile> files,
                               std::span<const Import> imports,
                               std::span<const std::vector<ImportTarget>> targets) {
  for (size_t i = 0; i < imports.size() && i < targets.size(); ++i) {
    add(static_cast<uint32_t>(i), imports[i], targets[i], rules, files);
  }
  if (rules.language != "python") return;
  // `import os.path` brings `os` along; what else is in there is not known.
  for (size_t i = 0; i < imports.size(); ++i) {
    const Import& import = imports[i];
    if (!import.names.empty() || !import.alias.empty() || import.is_relative) continue;
    bind(import.module.substr(0, import.module.find('.')),
         {static_cast<uint32_t>(i), kWholeModule, "", {}, true});
  }
}

void ImportBindings::add(uint32_t index, const Import& import, std::span<const ImportTarget> targets,
                         const ReferenceRules& rules, std::span<const ResolverFile> files) {
  for (size_t i = 0; i < import.names.size(); ++i) {
    const ImportedName& imported = import.names[i];
    const auto number = static_cast<int32_t>(i);
    const bool is_module = std::any_of(targets.begin(), targets.end(), [&](const ImportTarget& target) {
      return target.name == number && !rules.names_last_part;
    });
    const std::string_view whole = imported.name;
    const std::string_view original = whole.substr(whole.find_last_of(".\\") + 1);
    bind(dotted(imported.alias.empty() ? std::string(original) : imported.alias),
         {index, number, original, targets, is_module});
  }
  const std::string module = dotted(import.module);
  // What the module itself is called here.
  if (rules.names_last_part && import.names.empty() && !import.is_wildcard &&
      import.kind != ImportKind::kRequire) {
    const size_t start = import.module.find_last_of(".\\") + 1;
    const std::string_view original = std::string_view(import.module).substr(start);
    bind(dotted(import.alias.empty() ? std::string(original) : import.alias),
         {index, kWholeModule, original, targets, false});
  } else if (!import.alias.empty()) {
    bind(dotted(import.alias), {index, kWholeModule, "", targets, true});
  } else if (import.names.empty()) {
    bind(module, {index, kWholeModule, "", targets, true});
    if (rules.package == ReferenceRules::Package::kFolder) {
      // A package goes by the name that its files give it, which usually is the last part of its path.
      std::string_view name = base_name(import.module);
      if (!targets.empty() && !files[targets[0].file].package.empty()) name = files[targets[0].file].package;
      bind(std::string(name), {index, kWholeModule, "", targets, true});
    }
  }
  const bool opens_all = rules.opens && import.names.empty() &&
                         !(rules.language == "elixir" && import.kind == ImportKind::kRequire) &&
                         !(rules.language == "php" && import.kind == ImportKind::kUse);
  const bool is_namespace_object = import.is_wildcard && !import.alias.empty();
  if (!opens_all && (!import.is_wildcard || is_namespace_object)) return;
  for (const ImportTarget& target : targets) {
    float& sureness = opened_[target.file];
    sureness = std::max(sureness, target.confidence);
  }
}

const Binding* ImportBindings::find(std::string_view name) const {
  const auto found = bindings_.find(std::string(name));
  return found == bindings_.end() ? nullptr : &found->second;
}

const Binding* ImportBindings::find_prefix(std::string_view qualifier, std::string_view& rest) const {
  for (std::string_view head = qualifier; !head.empty(); head = parent_part(head)) {
    if (const Binding* const binding = find(head)) {
      rest = qualifier.substr(head.size());
      if (rest.starts_with('.')) rest.remove_prefix(1);
      return binding;
    }
  }
  return nullptr;
}

float ImportBindings::opened(uint32_t file) const {
  const auto found = opened_.find(file);
  return found == opened_.end() ? 0 : found->second;
}

}  // namespace knapsack::code

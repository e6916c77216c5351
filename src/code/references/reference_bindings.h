// ImportBindings: the names that the imports of one file bring into it, and the files they open.
//
// How names become visible differs between languages; ReferenceRules says how, one row a language. Built for
// one file; views into its imports. Read-only once built.
// Private to code/references/.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "code/imports/import_resolver.h"
#include "code/parse/parsed_file.h"
#include "core/dotted_name.h"

namespace knapsack::code {

// How a language finds names that no import names one by one.
struct ReferenceRules {
  std::string_view language;
  uint8_t family = 0;             // languages of one family refer to each other
  bool implicit_members = false;  // a plain name may be a member of the enclosing type
  bool must_import = false;       // a name of another file is imported or belongs to the package
  bool opens = false;             // an import without names makes all of its file visible
  bool names_last_part = false;   // `import a.b.C` is about C
  enum class Package : uint8_t { kNone, kFolder, kDeclared } package = Package::kNone;
  bool sees_packages_around = false;  // code of `a.b` sees that of `a`
};

const ReferenceRules& reference_rules(std::string_view language);

struct Binding {
  uint32_t import = 0;
  int32_t name = kWholeModule;            // the entry of Import::names, or the module itself
  std::string_view original;              // what it is called where it comes from; empty for a module
  std::span<const ImportTarget> targets;  // that concern it
  bool is_module = false;                 // the bound thing is a file or a package, not a definition in one
};

class ImportBindings {
 public:
  ImportBindings(const ReferenceRules& rules, std::span<const ResolverFile> files,
                 std::span<const Import> imports, std::span<const std::vector<ImportTarget>> targets);

  // What a name, or a qualifier with dots, is bound to by an import; the first import wins.
  const Binding* find(std::string_view name) const;
  // The longest beginning of a qualifier that is bound; `rest` is what follows.
  const Binding* find_prefix(std::string_view qualifier, std::string_view& rest) const;

  // How surely everything in a file is visible here; 0 where it is not.
  float opened(uint32_t file) const;
  const std::unordered_map<uint32_t, float>& all_opened() const { return opened_; }

 private:
  void bind(std::string name, const Binding& binding) { bindings_.emplace(std::move(name), binding); }
  void add(uint32_t index, const Import& import, std::span<const ImportTarget> targets,
           const ReferenceRules& rules, std::span<const ResolverFile> files);

  std::unordered_map<std::string, Binding> bindings_;
  std::unordered_map<uint32_t, float> opened_;
};

// A qualifier or module with dots between its parts, without marks of variables: "$this->store" →
// "this.store", "a::b" → "a.b".
std::string dotted(std::string_view text);

}  // namespace knapsack::code

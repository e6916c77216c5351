// What a reference of one file means: the definitions of the snapshot it may refer to, each with a
// confidence.
//
// Import-aware name lookup: what the language would see comes first (the enclosing scopes, imported names,
// the package), a guess by name only where nothing better is known, and nothing for names that are imported
// from outside. Only languages that can call each other are compared. A pure function of its inputs, with a
// total order. FileReferences serves one file and one thread; many may share a ReferenceWorld.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "code/imports/import_resolver.h"
#include "code/parse/parsed_file.h"
#include "code/references/reference_bindings.h"

namespace knapsack::code {

struct Definition {
  uint32_t file = 0;
  uint32_t symbol = 0;              // as the caller numbers them; ascending within a file
  std::string_view qualified_name;  // Symbol::qualified_name
  SymbolKind kind = SymbolKind::kFunction;
  bool is_exported = false;
  bool is_declaration = false;
};

// All definitions of a name (Symbol::name) in a snapshot, ordered by file, then by symbol. Safe to call from
// every thread that resolves.
using FindDefinitions = std::function<std::span<const Definition>(std::string_view name)>;

// What all files of a snapshot share. The views must outlive it.
struct ReferenceWorld {
  ReferenceWorld(std::span<const ResolverFile> all_files, FindDefinitions find_definitions);

  std::span<const ResolverFile> files;
  FindDefinitions find;
  std::vector<uint8_t> families;  // of each file: languages that can refer to each other share one
  std::vector<bool> tests;        // of each file: whether its path is that of a test
};

enum class ReferenceReason : uint8_t {
  kEnclosingScope,   // defined in this file, in a scope around the reference
  kEnclosingType,    // a member of the type around the reference (self.x, this.x, or plain x)
  kInherited,        // a member of a type that the enclosing one names as its base
  kImportedName,     // imported by name from the file that defines it
  kImportedModule,   // the qualifier is an imported module or package
  kImportedType,     // a member of an imported type
  kReexported,       // imported from a package that has it from one of its files
  kSamePackage,      // the language sees all files of the package, folder or module
  kWildcardImport,   // everything of the defining file is imported
  kIncludedHeader,   // declared in an included header, defined in this source
  kQualifierType,    // the qualifier is the name of the type or module that has it
  kReceiverName,     // the qualifier is called like the type that has it
  kReceiverMention,  // the type that has it is used in this file
  kUniqueName,       // the only definition of that name
  kSharedName,       // one of several definitions of that name
  kNamedInText,      // a string or symbol that frameworks look up
  kImplementation,   // of the interface's method that is called
};

std::string_view to_string(ReferenceReason reason);

struct Meaning {
  Definition definition;
  float confidence = 0;  // in (0, 1]; definitions that are equally likely share it
  ReferenceReason reason = ReferenceReason::kSharedName;
};

// A reference that could mean more than these says nothing about any of them.
inline constexpr size_t kMaxMeanings = 8;

class FileReferences {
 public:
  // `targets` are what each of file.imports resolved to, in their order. Everything must outlive this.
  FileReferences(const ReferenceWorld& world, uint32_t number, const ParsedFile& file,
                 std::span<const std::vector<ImportTarget>> targets);

  // Best first, then by file and symbol; at most kMaxMeanings.
  std::vector<Meaning> resolve(const Reference& reference) const;

 private:
  struct Query;  // one reference, taken apart
  class Ranking;

  void resolve_unqualified(const Query& query, Ranking& ranking) const;
  void resolve_member(const Query& query, Ranking& ranking) const;
  void resolve_qualified(const Query& query, Ranking& ranking) const;

  // Each adds what its rule finds and says whether it settles the matter.
  bool add_enclosing_scope(const Query& query, Ranking& ranking) const;
  bool add_enclosing_type(const Query& query, Ranking& ranking) const;
  bool add_inherited(const Query& query, Ranking& ranking) const;
  bool add_binding(const Binding& binding, std::string_view rest, const Query& query, Ranking& ranking) const;
  bool add_imported_name(const Binding& binding, const Query& query, Ranking& ranking) const;
  bool add_imported_module(const Binding& binding, std::string_view rest, const Query& query,
                           Ranking& ranking) const;
  bool add_imported_type(const Binding& binding, std::string_view rest, const Query& query,
                         Ranking& ranking) const;
  bool add_reexported(const Binding& binding, std::span<const Definition> all, std::string_view rest,
                      const Query& query, Ranking& ranking) const;
  bool add_same_package(const Query& query, Ranking& ranking) const;
  bool add_opened(const Query& query, Ranking& ranking) const;
  bool add_members_of(std::string_view type, const Query& query, float confidence, ReferenceReason reason,
                      Ranking& ranking) const;
  bool add_default_import(const Binding& binding, const Query& query, Ranking& ranking) const;
  bool add_rust_module(const Query& query, Ranking& ranking) const;
  bool add_namespace(const Query& query, Ranking& ranking) const;
  bool add_receiver_guess(const Query& query, float by_name, Ranking& ranking) const;
  void add_own_guess(const Query& query, float by_name, Ranking& ranking) const;
  std::vector<Definition> guessable_members(const Query& query) const;
  bool is_own_type(std::string_view name, const Query& query) const;
  void add_by_name_alone(const Query& query, Ranking& ranking) const;

  std::span<const Definition> definitions(std::string_view name) const { return world_.find(name); }
  bool is_candidate(const Definition& definition, ReferenceKind kind) const;
  void add_named_in_text(const Query& query, Ranking& ranking) const;
  void add_implementations(const Query& query, Ranking& ranking) const;
  bool is_guessable(const Definition& definition, ReferenceKind kind) const;
  bool has_bases(const Query& query) const;
  bool is_same_package(uint32_t other) const;
  // The package around that one too, where the language sees into it.
  bool is_visible_package(uint32_t other) const;
  std::string_view enclosing_name(const Query& query) const;

  const ReferenceWorld& world_;
  uint32_t number_;
  const ParsedFile& file_;
  ReferenceRules rules_;
  ImportBindings bindings_;
  std::unordered_map<std::string_view, std::vector<std::string_view>> bases_;  // of each type of this file
  std::unordered_set<std::string_view> mentioned_;                             // types and calls of this file
};

}  // namespace knapsack::code

// QueryProgram: a query file compiled against its grammar, and the matcher that runs it during one walk of a
// tree.
//
// tree-sitter's own query cursor keeps every partial match of every pattern alive while it walks; that costs
// about as much as parsing itself (bench/parse_bench shows both). Here a node's symbol id selects the few
// patterns that can begin at it, and each is tried once, greedily, against that node's children. A program is
// immutable after compile() and may be shared by threads; a Matcher belongs to one thread.
// Private to code/parse/.
#pragma once

#include <tree_sitter/api.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "code/parse/child_list.h"
#include "code/parse/query_reader.h"
#include "core/result.h"

namespace knapsack::code {

// What a capture means to the extractor. Capture names are listed in query_program.cc; names that begin with
// '_' serve predicates only.
enum class Role : uint8_t {
  kNone,
  kFunction,
  kMethod,
  kClass,
  kInterface,
  kEnum,
  kStruct,
  kTrait,
  kModule,
  kConstant,
  kVariable,
  kField,
  kRegistered,
  kMacro,
  kType,
  kTestBlock,
  kScope,
  kPackage,
  kName,
  kBody,
  kDeclarator,
  kQualifier,
  kFollowed,
  kWrapper,
  kWrapped,
  kLeading,
  kAnnotation,
  kExported,
  kAccess,
  kTest,
  kAssertion,
  kDocstring,
  kComment,
  kCallReference,
  kTypeReference,
  kNameReference,
  kTextReference,
  kTextNameReference,
  kReceiver,
  kLocal,
  kLocalDeclarator,
  kIgnore,
  kImport,
  kInclude,
  kRequire,
  kUse,
  kDynamic,
  kImportModule,
  kImportName,
  kImportAlias,
  kImportWildcard,
  kImportRelative,
};

struct Capture {
  Role role = Role::kNone;
  TSNode node = {};
};

class QueryProgram {
 public:
  struct Step {
    std::vector<TSSymbol> symbols;  // empty: any named node, or any at all
    bool accepts_tokens = false;    // for a wildcard: unnamed nodes too
    bool is_first = false;
    TSFieldId field = 0;
    Quantifier quantifier = Quantifier::kOne;
    std::vector<Role> roles;
    std::vector<Predicate> predicates;
    std::vector<TSFieldId> absent_fields;
    std::vector<Step> children;
    std::vector<Step> alternatives;
    uint32_t wanted = 0;         // one bit a child that must be found
    bool is_open_ended = false;  // later children can still matter when all of those are found
  };

  static Result<QueryProgram> compile(const TSLanguage* language, std::string_view query);

  // The patterns that can begin at a node of this symbol, in file order.
  std::span<const uint16_t> patterns_for(TSSymbol symbol) const {
    return symbol < by_symbol_.size() ? std::span<const uint16_t>(by_symbol_[symbol])
                                      : std::span<const uint16_t>();
  }
  // The role of a symbol whose only pattern is a capture of the node itself: it needs no matching.
  Role bare_role(TSSymbol symbol) const { return symbol < bare_.size() ? bare_[symbol] : Role::kNone; }
  const Step& pattern(uint16_t index) const { return patterns_[index]; }
  size_t pattern_count() const { return patterns_.size(); }

 private:
  std::vector<Step> patterns_;
  std::vector<std::vector<uint16_t>> by_symbol_;
  std::vector<Role> bare_;
};

// Tries the patterns of one node after the other. Lists of the nodes below it are kept until the next node.
class Matcher {
 public:
  Matcher() = default;
  Matcher(const Matcher&) = delete;
  Matcher& operator=(const Matcher&) = delete;

  // The node whose patterns come next; its children, with fields, stay the caller's and must not move
  // meanwhile.
  void start(const Child& node, std::span<const Child> children, std::string_view bytes);
  // The captures of the pattern at this node, parents before children; empty where it does not match. Valid
  // until the next call.
  std::span<const Capture> match(const QueryProgram::Step& pattern);

 private:
  struct Listed {
    const void* node = nullptr;
    ChildRange children;
  };

  bool match_step(const QueryProgram::Step& step, const Child& node, bool is_root);
  bool match_children(const QueryProgram::Step& step, const Child& node, bool is_root);
  bool passes(const QueryProgram::Step& step, TSNode node) const;
  ChildRange children_of(TSNode node);

  std::string_view bytes_;
  Child root_;
  std::span<const Child> root_children_;
  ChildLister lister_;
  std::vector<Child> arena_;  // of the nodes below the root
  std::vector<Listed> listed_;
  std::vector<Capture> captures_;
};

// The first node that was captured in this role; null where there is none.
inline TSNode find_capture(std::span<const Capture> captures, Role role) {
  for (const Capture& capture : captures) {
    if (capture.role == role) return capture.node;
  }
  return TSNode{};
}
inline bool has_capture(std::span<const Capture> captures, Role role) {
  return !ts_node_is_null(find_capture(captures, role));
}

}  // namespace knapsack::code

// SymbolBuilder: turns the definitions that a query found into symbols with parents, names, spans and
// signatures.
//
// Fed in source order by one walk of the tree; keeps the stack of what is open around the current position.
// Everything that needs the whole file (signatures without comments, documentation, exports by name) happens
// in finish(). One builder serves one file, on one thread. Its code is in three files: symbol_builder.cc
// (definitions and their names), symbol_surroundings.cc (what stands around a definition) and
// symbol_details.cc (finish).
// Private to code/parse/.
#pragma once

#include <tree_sitter/api.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "code/parse/comments.h"
#include "code/parse/language.h"
#include "code/parse/parsed_file.h"
#include "code/parse/query_program.h"
#include "code/parse/source_text.h"

namespace knapsack::code {

class SymbolBuilder {
 public:
  SymbolBuilder(const Language& language, std::string_view bytes, ParsedFile& file)
      : language_(language), bytes_(bytes), file_(file) {}

  // Closes what ended before this byte.
  void advance_to(uint32_t byte);

  enum class Outcome { kDefined, kLocal, kIgnored };
  // A match with a definition or scope. kLocal: a variable of a function, which is no symbol; its names are
  // for the caller to note.
  Outcome define(std::span<const Capture> captures, TSNode node, Role role);

  // The innermost open symbol around a byte, and the innermost open test.
  int32_t enclosing(uint32_t byte) const;
  int32_t enclosing_test(uint32_t byte) const;

  // The definition inside belongs to a wider node (decorators, `export`, `template <…>`) and starts where
  // `start` does.
  void wrap(TSNode wrapper, TSNode start, TSNode wrapped, bool is_exported);
  // A sibling that belongs to the definition that comes next.
  void lead(TSNode node, bool is_test, TSNode docstring);
  void leave_out_of_signatures(TSNode node);
  void export_name(std::string_view name) { exported_names_.emplace(name); }
  void document(TSNode docstring, CommentCollector& comments);
  void set_access(std::string_view access, uint32_t byte);
  void set_package(TSNode node);

  void finish(CommentCollector& comments);

 private:
  // One match, as define() was given it.
  struct Definition {
    std::span<const Capture> captures;
    TSNode node = {};
    Role role = Role::kNone;
  };
  struct Open {
    const void* node = nullptr;
    int32_t symbol = kNoSymbol;
    uint32_t start = 0;
    uint32_t end = 0;
    std::string qualified;  // of the scope; the symbol's own unless it is a scope without one
    std::string native;
    bool is_function = false;
    bool is_type = false;
    bool is_private = false;    // what is defined in it now
    bool is_name_only = false;  // a value or type alias
    int32_t last_child = kNoSymbol;
  };
  struct Draft {  // what finish() needs of each symbol
    ByteRange signature;
    bool does_something = false;  // it has a body that is more than a placeholder
    bool is_marked_exported = false;
    bool is_private = false;
    bool has_docstring = false;
    bool is_registered = false;
  };
  struct Wrapping {
    uint32_t start = 0;
    uint32_t start_line = 0;
    bool is_exported = false;
  };
  struct Leading {
    ByteRange range;
    uint32_t start_line = 0;
    uint32_t end_line = 0;
    bool is_test = false;
    ByteRange docstring;
  };

  Open* parent_of(uint32_t byte, Role role);
  void open_scope(const Definition& definition);
  void open_symbol(const Definition& definition, int32_t index);
  int32_t add_symbol(const Definition& definition, TSNode name, std::string_view qualifier);
  void add_other_head(int32_t index);
  bool set_name(Symbol& symbol, TSNode name, std::string& prefix) const;
  void set_span(Symbol& symbol, Draft& draft, const Definition& definition, TSNode name) const;
  void narrow_to_line(Symbol& symbol, TSNode name) const;
  void set_place(Symbol& symbol, const Open* parent, const std::string& prefix) const;
  bool merge_clause(int32_t last, const Symbol& symbol, const Draft& draft);
  void apply_wrapping(Symbol& symbol, Draft& draft, TSNode node) const;
  void apply_leading(Symbol& symbol, Draft& draft) const;
  bool is_only_comment(uint32_t start, uint32_t end) const;
  bool is_test_by_name(const Symbol& symbol, const Draft& draft) const;
  std::string make_signature(const Symbol& symbol, const Draft& draft,
                             std::span<const ByteRange> skipped) const;
  void attach_comment(Symbol& symbol, CommentCollector& comments) const;
  bool is_exported(const Symbol& symbol, const Draft& draft) const;

  const Language& language_;
  std::string_view bytes_;
  ParsedFile& file_;
  std::vector<Open> open_;
  std::vector<Draft> drafts_;            // one a symbol
  std::vector<ByteRange> scope_drafts_;  // the signature of each scope
  int32_t last_top_level_ = kNoSymbol;
  std::unordered_map<const void*, Wrapping> wrappings_;  // by the node inside
  std::map<uint32_t, Leading> leading_;  // by first byte; those before the last definition are gone
  uint32_t package_line_ = 0;
  std::vector<ByteRange> annotations_;
  std::unordered_map<std::string, int32_t> types_;  // what can have members, by qualified name
  std::unordered_set<std::string> exported_names_;
};

}  // namespace knapsack::code

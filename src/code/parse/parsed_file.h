// ParsedFile: everything that is learnt from one file's bytes and language, as plain data.
//
// A pure function of those two: no path, clock or neighbour decides a field, so what is stored for a blob is
// true wherever the blob appears. Lines are 1-based and inclusive, a line ends at '\n'; byte ranges are half
// open. Spans lie within the file and symbols come in the order in which they start. Values only; no thread
// rule.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace knapsack::code {

inline constexpr int32_t kNoSymbol = -1;

enum class SymbolKind : uint8_t {
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
  kMacro,
  kType,
  kTest,  // a test or a group of tests that is a call or a block, named by a sentence
};

// A type that has members.
constexpr bool is_type(SymbolKind kind) {
  return kind == SymbolKind::kClass || kind == SymbolKind::kInterface || kind == SymbolKind::kEnum ||
         kind == SymbolKind::kStruct || kind == SymbolKind::kTrait;
}
constexpr bool is_callable(SymbolKind kind) {
  return kind == SymbolKind::kFunction || kind == SymbolKind::kMethod || kind == SymbolKind::kTest;
}
constexpr bool is_value(SymbolKind kind) {
  return kind == SymbolKind::kVariable || kind == SymbolKind::kConstant || kind == SymbolKind::kField;
}

struct Symbol {
  SymbolKind kind = SymbolKind::kFunction;
  std::string name;
  std::string qualified_name;  // with its parents, joined by '.' in every language
  std::string native_name;     // as its language joins them ("ns::Class::run"); empty where that is the same
  uint32_t start_line = 0;     // of its decorators, attributes or `export`, not of its comment
  uint32_t end_line = 0;
  uint32_t start_byte = 0;
  uint32_t end_byte = 0;
  uint32_t name_line = 0;
  int32_t parent = kNoSymbol;   // an index into ParsedFile::symbols, smaller than its own
  std::string signature;        // one line: no body, comments, decorators or annotations
  std::string docstring;        // without comment marks and quotes, cut to kMaxDocstringBytes
  uint32_t doc_start_line = 0;  // 0 where there is none
  uint32_t doc_end_line = 0;
  bool is_test = false;
  bool is_exported = false;     // visible outside its file or type, as far as its own declaration says
  bool is_declaration = false;  // a prototype, an abstract or interface member, an overload without a body
};

// What qualifies the names inside without being a symbol itself: `impl Type`, `extension Type`. The members'
// parent is the type where this file defines it first.
struct Scope {
  std::string qualified_name;
  std::string signature;
  uint32_t start_line = 0;
  uint32_t end_line = 0;
  uint32_t start_byte = 0;
};

// kText: a string or symbol that names something ("shop.Order", "users#show"), as frameworks look it up.
enum class ReferenceKind : uint8_t { kCall, kType, kName, kText };

// One row a name, kind and qualifier within one enclosing symbol: repeats only count.
struct Reference {
  uint32_t name = 0;       // into ParsedFile::names
  uint32_t qualifier = 0;  // what stands before the name ("self", "os.path"), into names; 0 is the empty name
  uint32_t line = 0;       // of the first
  uint32_t count = 1;
  int32_t enclosing = kNoSymbol;
  ReferenceKind kind = ReferenceKind::kCall;
};

enum class ImportKind : uint8_t { kImport, kInclude, kRequire, kUse, kDynamic };

struct ImportedName {
  std::string name;
  std::string alias;  // empty where it keeps its name
};

struct Import {
  ImportKind kind = ImportKind::kImport;
  std::string module;  // as written, without quotes or brackets
  std::vector<ImportedName> names;
  std::string alias;  // of the module itself
  uint32_t line = 0;
  bool is_relative = false;  // starts at this file rather than at a search path
  bool is_wildcard = false;
};

enum class CommentKind : uint8_t { kRationale, kTodo, kNote, kIssueReference, kLicense, kDoc, kPlain };

// Neighbouring line comments are one comment.
struct Comment {
  CommentKind kind = CommentKind::kPlain;
  uint32_t start_line = 0;
  uint32_t end_line = 0;
  int32_t enclosing = kNoSymbol;
  std::string text;              // without comment marks, cut to kMaxCommentBytes
  std::vector<uint32_t> issues;  // "#123", "GH-123", ".../issues/123", ".../pull/123"
};

struct TestCase {
  int32_t symbol = kNoSymbol;
  std::vector<std::string> assertions;  // one line each; at most kMaxAssertions
};

struct Chunk {
  uint32_t start_line = 0;
  uint32_t end_line = 0;
  uint32_t start_byte = 0;
  uint32_t end_byte = 0;
  int32_t enclosing = kNoSymbol;  // the innermost symbol that began before this chunk and reaches into it
  std::string header;  // qualified name and signature of that symbol or of a scope inside it, on one line
};

enum class ParseStatus : uint8_t { kParsed, kParsedWithErrors, kDeadlineFallback, kTooLarge, kDocument };

// Why a file of a language with symbols has none: all but the deadline depend on the bytes alone. `kCrash`:
// the process that parsed it died of it.
enum class FallbackReason : uint8_t { kNone, kDeadline, kWork, kNesting, kLineLength, kCrash };

struct ParsedFile {
  ParseStatus status = ParseStatus::kDocument;
  FallbackReason fallback = FallbackReason::kNone;
  uint32_t error_nodes = 0;  // places that the grammar could not read, or had to add a token to
  uint32_t line_count = 0;
  std::string
      package;  // what the file says it belongs to (`package a.b`, `namespace A;`, `module A.B where`)
  std::vector<Symbol> symbols;
  std::vector<Scope> scopes;
  std::vector<std::string> names = {""};  // each name once; 0 is the empty one
  std::vector<Reference> references;
  std::vector<Import> imports;
  std::vector<Comment> comments;
  std::vector<TestCase> tests;
  std::vector<Chunk> chunks;
};

// A symbol's comment is read by people and ranked; what lies beyond some 30 lines adds bytes, not meaning.
inline constexpr size_t kMaxDocstringBytes = 2000;
inline constexpr size_t kMaxCommentBytes = 1000;
inline constexpr size_t kMaxSignatureBytes = 300;
inline constexpr size_t kMaxAssertions = 20;
inline constexpr size_t kMaxAssertionBytes = 200;

std::string_view to_string(SymbolKind kind);
std::string_view to_string(ReferenceKind kind);
std::string_view to_string(ImportKind kind);
std::string_view to_string(CommentKind kind);
std::string_view to_string(ParseStatus status);
std::string_view to_string(FallbackReason reason);

}  // namespace knapsack::code

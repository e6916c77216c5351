// The languages: one table, one row each, and how a file's language is told.
//
// A language with a grammar has symbols; the rest are documents that are only searched. Adding a language is
// one row here and one file in queries/; a row names a hook only where its grammar hides what a query cannot
// reach. The table is constant; any thread may read it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

extern "C" {
typedef struct TSLanguage TSLanguage;  // NOLINT(modernize-use-using): tree-sitter's own declaration, repeated
}

namespace knapsack::code {

struct LanguageHooks;

// What makes a definition visible outside its file.
struct ExportRule {
  enum class Kind : uint8_t {
    kAlways,
    kCapital,       // the name begins with a capital letter
    kNoUnderscore,  // the name does not begin with an underscore
    kWithWord,      // what stands before its parameters has one of `words`
    kWithoutWord,   // … has none of `words`
    kAccess,        // inside a type the access that was last named; outside none of `words`
    kMarked,  // an export statement names it; members follow their type unless marked with one of `words`
  };
  Kind kind = Kind::kAlways;
  std::string_view words = "";
  bool classes_start_private = false;  // before the first access is named
  bool all_without_list = false;       // a file that marks nothing exports everything
};

// Functions that are tests by convention; attributes, annotations and test blocks are in the query files.
struct TestRule {
  std::string_view prefixes = "";   // of a function's name
  std::string_view signature = "";  // must also occur in the signature
  bool needs_test_class = false;    // the enclosing class must be called after tests too
};

// When definitions of one name that follow each other are one symbol.
enum class ClauseMerging : uint8_t {
  kNever,
  kDeclarations,  // overloads without a body and the implementation that follows them
  kAlways,        // clauses of one function, and its type signature
};

struct Language {
  std::string_view name;
  // Lists are separated by spaces. Extensions are lower case and have no dot.
  std::string_view extensions = "";
  std::string_view file_names = "";
  std::string_view interpreters = "";        // as a #! line names them
  const TSLanguage* (*grammar)() = nullptr;  // unpacks it when first called (packed_grammar.h)
  std::string_view query = "";             // queries/<query>.scm; several for what languages share, in order
  std::string_view separator = ".";        // between the parts of a native name
  std::string_view member_separator = "";  // before a method, where it differs
  std::string_view line_comment = "";
  std::string_view block_comment = "";  // how one begins and ends, separated by a space
  ExportRule exports = {};
  TestRule tests = {};
  // Prefixes of the calls that check something in a test; "t.Error" names the object as well.
  std::string_view assertions = "";
  std::string_view not_references = "";  // names that refer to nothing in particular: self, primitive types
  bool upper_case_is_constant = false;
  std::string_view relative_import_ending = "";  // a module that ends so is a path from this file
  ClauseMerging clauses = ClauseMerging::kNever;
  std::string_view heading_mark = "";  // of a document: a line that begins with it starts a section
  const LanguageHooks* hooks = nullptr;
  std::string_view dialect =
      "";  // what a file is read as where this grammar finds more that it does not know

  bool is_program = false;  // code all the same, without a grammar here

  bool has_symbols() const { return grammar != nullptr; }
  // A program rather than words or data about one.
  bool is_code() const { return has_symbols() || is_program; }
};

std::span<const Language> languages();
// Null for a name that is not in the table.
const Language* find_language(std::string_view name);

// By file name, then extension, then #! line; "text" for everything else. A `.h` file is C++ when its bytes
// use a word or mark that C does not have, so give the whole file where it is at hand.
const Language& detect_language(std::string_view path, std::string_view bytes);

// The query file, as it was compiled in. Empty for a name that has none.
std::string_view embedded_query(std::string_view name);

// Calls visit(word) for each word of a list of the table until one returns true; says whether one did.
template <class Visit>
bool any_word(std::string_view list, Visit visit) {
  while (!list.empty()) {
    const size_t end = list.find(' ');
    const std::string_view word = list.substr(0, end);
    if (!word.empty() && visit(word)) return true;
    list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
  }
  return false;
}

}  // namespace knapsack::code

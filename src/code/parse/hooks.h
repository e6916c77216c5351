// What a few languages need beyond their query file. Functions only, no state; any thread may call them.
// Private to code/parse/.
#pragma once

#include <tree_sitter/api.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "code/parse/parsed_file.h"
#include "code/parse/source_text.h"

namespace knapsack::code {

struct DeclaredName {
  TSNode node = {};            // the name itself; null where there is none
  std::string_view qualifier;  // "a::B" of a definition outside its class
};

struct LanguageHooks {
  // The name inside a declarator that the query captured (`*(*table[3])(int)` declares `table`).
  DeclaredName (*find_name)(TSNode declarator, std::string_view bytes) = nullptr;
  // The imports of a nested form (`use a::{b, c::{self, d as e}}`), whose root the query captured; false for
  // a form that the query's own captures describe.
  bool (*expand_import)(TSNode root, std::string_view bytes, std::vector<Import>& imports) = nullptr;
  // The text with blanks, or other words, in place of what the grammar does not know, byte for byte as long; false where
  // it has nothing of the kind. Read again like this where the grammar found errors.
  bool (*blank_unknown)(std::string_view bytes, std::string& blanked) = nullptr;
  // Lines that begin with `#` are none of its own.
  bool has_directives = false;
  // The text without the braces of macros that hold definitions, byte for byte as long; false where it has none. Called
  // again with where the grammar then found errors, sorted by start: macros with one inside stay as they are; false
  // where that changes nothing. What it opens counts where it gives no more errors than the text as it is.
  bool (*open_macros)(std::string_view bytes, std::span<const ByteRange> errors,
                      std::string& opened) = nullptr;
};

// c_macros.cc: the text with blanks in place of macros that stand where the grammars of C and C++ know no word, `Q_OBJECT`
// on a line of its own, `class API Name`, `INLINE bool f()`; false where it has none. A grammar sees a file before the
// preprocessor does, and one such word can cost it the class around it. Which words are macros follows from their place alone.
bool blank_c_macros(std::string_view bytes, std::string& blanked);

// item_macros.cc: LanguageHooks::open_macros of Rust.
bool open_item_macros(std::string_view bytes, std::span<const ByteRange> errors, std::string& opened);

// directives.cc: blanks in place of `#if` to `#endif` where they cut through a statement or a list, or everywhere; false
// where there are none. Of branches that are only pieces of a statement the first stays, or the last where the first is
// for Windows; of others all.
bool blank_choices(std::string& text, bool every);

// Also there: adds where a line is a directive, from its `#`, with the lines that it goes on in, and all branches of a choice
// but the first. Not `#define`, which defines.
void add_directives(std::string_view bytes, std::vector<ByteRange>& ranges);
// The branch behind the first `#else` or `#elif` of a range; (0, 0) where it holds none, or not all of it.
ByteRange second_branch(std::string_view bytes, ByteRange range);

extern const LanguageHooks kCHooks;
extern const LanguageHooks kCSharpHooks;
extern const LanguageHooks kKotlinHooks;
extern const LanguageHooks kRustHooks;
extern const LanguageHooks kScalaHooks;
extern const LanguageHooks kSwiftHooks;

}  // namespace knapsack::code

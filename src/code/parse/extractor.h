// The one walk over a syntax tree that fills a ParsedFile: symbols, references, imports, comments and tests.
//
// Iterative, so the depth of a tree costs no stack. Reads only its arguments; a Matcher is scratch space of
// the calling thread.
// Private to code/parse/.
#pragma once

#include <tree_sitter/api.h>

#include <span>
#include <string_view>
#include <vector>

#include "code/parse/language.h"
#include "code/parse/parsed_file.h"
#include "code/parse/query_program.h"

namespace knapsack::code {

// Fills everything but status, line count and chunks.
void extract(const Language& language, const QueryProgram& program, TSNode root, std::string_view bytes,
             ParsedFile& file);

// imports.cc: imports as a query captured them.
bool is_import_role(Role role);

// One import a captured module; names and aliases belong to what was captured before them. A language's hook
// takes over for forms that nest.
void add_imports(const Language& language, std::span<const Capture> captures, std::string_view bytes,
                 std::vector<Import>& imports);

}  // namespace knapsack::code

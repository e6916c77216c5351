// The one walk over a syntax tree that fills a ParsedFile: symbols, references, imports, comments and tests.
//
// Iterative, so the depth of a tree costs no stack. Reads only its arguments; a Matcher is scratch space of
// the calling thread.
// Private to code/parse/.
#pragma once

#include <tree_sitter/api.h>

#include <string_view>

#include "code/parse/language.h"
#include "code/parse/parsed_file.h"
#include "code/parse/query_program.h"

namespace knapsack::code {

// Fills everything but status, line count and chunks.
void extract(const Language& language, const QueryProgram& program, TSNode root, std::string_view bytes,
             ParsedFile& file);

}  // namespace knapsack::code

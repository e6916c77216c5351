// The one walk over a syntax tree that fills a ParsedFile: symbols, references, imports, comments and tests.
//
// Iterative, so the depth of a tree costs no stack. Reads only its arguments; a Matcher is scratch space of
// the calling thread.
#pragma once

#include <tree_sitter/api.h>

#include <string_view>

#include "code/language.h"
#include "code/query_program.h"
#include "core/parsed_file.h"

namespace knapsack::code {

// Fills everything but status, line count and chunks.
void extract(const Language& language, const QueryProgram& program, TSNode root, std::string_view bytes,
             ParsedFile& file);

}  // namespace knapsack::code

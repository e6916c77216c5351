// Cuts a file into the chunks that search ranks: at a definition (or heading) once a chunk has 15 lines,
// always at 60.
//
// Chunks tile the file: every line is in exactly one, in order. A definition's comment stays with it. Pure
// functions.
#pragma once

#include <cstdint>
#include <string_view>

#include "code/parse/language.h"
#include "code/parse/parsed_file.h"

namespace knapsack::code {

// From the measured recipe for code (docs/scoring.md): shorter chunks lose their context, longer ones their
// focus.
inline constexpr uint32_t kMinChunkLines = 15;
inline constexpr uint32_t kMaxChunkLines = 60;
// 60 lines of any hand-written file are shorter; this only bounds tables and data with very long lines.
inline constexpr uint32_t kMaxChunkBytes = 16 * 1024;

// Sets line_count and chunks from the bytes, the symbols and scopes that are there already and, for a
// document, its headings.
void add_chunks(const Language& language, std::string_view bytes, ParsedFile& file);

}  // namespace knapsack::code

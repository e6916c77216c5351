// Grammars as the program holds them: their parse tables, half of the program otherwise, are packed by zlib when it is built
// (tools/pack_grammar.cc) and unpacked when a language is first asked for. Who uses no language, or few, pays for no other.
//
// Unpacking gives the bytes that the grammar was compiled with. Any thread may ask for a language, several for the same one
// at once: the first unpacks it and the others wait. It stays until the process ends.
// Private to code/parse/.
#pragma once

#include <cstdint>

extern "C" {
typedef struct TSLanguage TSLanguage;  // NOLINT(modernize-use-using): tree-sitter's own declaration, repeated
}

namespace knapsack::code {

// Stands where a table was compiled, with as many packed bytes (RFC 1950) behind it. Not aligned.
struct PackedTable {
  uint64_t size;  // of the table
  uint64_t packed_size;
};

// A copy of the language with its tables; null where they are damaged.
const TSLanguage* unpack_grammar(const TSLanguage& packed);

// The language that a compiled grammar gives out, to be used instead of that one.
template <const TSLanguage* (*packed)()>
const TSLanguage* unpacked() {
  static const TSLanguage* const language = unpack_grammar(*packed());
  return language;
}

}  // namespace knapsack::code

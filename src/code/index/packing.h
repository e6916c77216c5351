// Packing: lists of strings and numbers as bytes of one column.
//
// Unpacking reads bytes that may be damaged: what does not add up is an error, never a guess.
// Private to code/index/.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "code/parse/parsed_file.h"
#include "core/byte_reader.h"
#include "core/result.h"

namespace knapsack::code {

// "the code index is damaged: WHAT", and how to mend it.
Error damaged_index(std::string_view what);

// How many entries follow. A damaged count must not ask for memory: no list has more entries than its bytes.
Result<size_t> read_count(ByteReader& reader, std::string_view packed, std::string_view what);

inline void append_string(std::string& out, std::string_view text) {
  append_varint(out, text.size());
  out += text;
}

std::string pack_strings(const std::vector<std::string>& strings);
Result<std::vector<std::string>> unpack_strings(std::string_view packed);

std::string pack_numbers(std::span<const uint32_t> numbers);
Result<std::vector<uint32_t>> unpack_numbers(std::string_view packed);

std::string pack_imported_names(const std::vector<ImportedName>& names);
Result<std::vector<ImportedName>> unpack_imported_names(std::string_view packed);

// The names and references of one file.
std::string pack_references(const ParsedFile& file);
// Sets `names` and `references`.
Status unpack_references(std::string_view packed, ParsedFile& file);

}  // namespace knapsack::code

// What a grammar found in a file, as bytes: how it comes back from the process that parsed the file.
//
// That process read bytes of anybody's making with code that is not ours, so nothing it says is believed:
// what is decoded lies within the file, points to what is there, is valid UTF-8 and no longer than we cut it
// ourselves, or it is refused. Line count and chunks are not in it; they are made from the rest. Pure
// functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "code/parse/parsed_file.h"
#include "core/result.h"

namespace knapsack::code {

// More than what is found in a file of so many bytes ever takes; what would be longer was too much work.
constexpr size_t max_parsed_bytes(size_t source_bytes) {
  return (size_t{1} << 20U) + 16 * source_bytes;
}

std::string encode_parsed_file(const ParsedFile& file);

// `source` is the file that was parsed.
Result<ParsedFile> decode_parsed_file(std::string_view bytes, std::string_view source);

}  // namespace knapsack::code

// Bytes made smaller for the way to a team's server, where they help by what the other side has already.
//
// A file of an index differs little from the one of the commit before: packed against that, it is a small part of its size. Pure
// functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.h"

namespace knapsack::team {

// `from`: what unpack() will be given as well; empty: nothing.
Result<std::string> pack_bytes(std::string_view bytes, std::string_view from = {});
// kCorrupt for what pack_bytes() did not make of exactly `size` bytes, or made from something else.
Result<std::string> unpack_bytes(std::string_view packed, uint64_t size, std::string_view from = {});

// SHA-256, 64 hexadecimal digits: PostgreSQL checks it too.
std::string content_name(std::string_view bytes);

}  // namespace knapsack::team

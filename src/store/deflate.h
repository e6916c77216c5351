// Texts that are kept but seldom read, made smaller by zlib. Internal to store/. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace knapsack {

// In the format of RFC 1950, at zlib's fastest level: a packet is written while somebody waits for it.
std::string deflate_text(std::string_view text);

// The text of exactly `size` bytes; nothing for bytes that are damaged, or a size that they cannot have.
std::optional<std::string> inflate_text(std::string_view deflated, int64_t size);

}  // namespace knapsack

// A new memory as the bytes of its file, and where in the tree that goes. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "memory/tree/memory.h"

namespace knapsack::memory {

// The front matter in the usual order, without keys that have nothing to say, and the text.
std::string memory_file(const Memory& memory, std::string_view source);

// "facts/2026-11-15/<id>.md" below the namespace's folder, by kind and the day it was created.
std::string memory_path(const Memory& memory);

// "decision-1763200000000-4f2a91c3": category, time and what the text hashes to.
std::string new_memory_id(std::string_view category, std::string_view text, Timestamp now);

// The same for texts that differ only in case, punctuation and white space.
std::string normalised_hash(std::string_view text);

}  // namespace knapsack::memory

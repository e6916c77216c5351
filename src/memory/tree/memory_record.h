// A memory as packed bytes, for the table of known memories. Derived data: the layout may change with the
// version of the table. Pure functions; any thread.
// Private to memory/tree/.
#pragma once

#include <string>

#include "core/byte_reader.h"
#include "memory/tree/memory.h"

namespace knapsack::memory {

void append_memory(std::string& out, const Memory& memory);
// Any bytes give a memory or make the reader fail.
Memory take_memory(ByteReader& reader);

}  // namespace knapsack::memory

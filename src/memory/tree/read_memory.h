// Reading one memory: the bytes of its file and its place in the tree become a Memory.
//
// Every file gives a memory: front matter that is broken makes all of it text, a value that cannot be read
// leaves its default; both are said in a line. Secrets are replaced before anything is made of the file. A
// pure function; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memory/tree/memory.h"

namespace knapsack::memory {

struct ReadMemory {
  Memory memory;
  std::vector<std::string> warnings;
};
// How the text of a memory is kept: UTF-8, without white space around it.
std::string memory_text(std::string_view bytes);

ReadMemory read_memory(const std::string& path, std::string_view file);

}  // namespace knapsack::memory

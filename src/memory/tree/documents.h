// What the search engine holds of a memory: one document with one unit, its key the memory's path.
//
// A document depends on its memory alone, so that an unchanged file never has to be indexed again. Queries
// must read their words with the same options. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "memory/tree/memory.h"
#include "search/segments/segment_builder.h"
#include "text/words/words.h"

namespace knapsack::memory {

inline constexpr uint32_t kTextField = 0;
inline constexpr uint32_t kTitleField = 1;  // the heading that the text opens with, and the entity's name
inline constexpr uint32_t kTagField = 2;
inline constexpr uint32_t kPathField = 3;

// Stemmed in the language of their script: memories are sentences, and questions put them in other forms.
WordOptions memory_words();

// A word as it was written, lower-cased, and as it was indexed.
struct MemoryWord {
  std::string written;
  std::string indexed;
  size_t begin = 0;  // where it stands, in bytes
  size_t end = 0;
};
std::vector<MemoryWord> read_memory_words(std::string_view text);

// The heading with which a text opens ("# Release rules"), without its marks; empty for a text without one.
std::string_view opening_heading(std::string_view text);

void add_document(search::SegmentBuilder& builder, const Memory& memory);

}  // namespace knapsack::memory

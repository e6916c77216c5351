// What the search index holds of a memory: one document, one unit, a field a kind of text.
#pragma once

#include "memory/memory.h"
#include "search/segment_builder.h"

namespace knapsack::memory {

inline void add_document(search::SegmentBuilder& builder, const Memory& memory) {
  builder.begin_document(memory.path);
  builder.begin_unit();
  builder.add_text(0, memory.text);
}

}  // namespace knapsack::memory

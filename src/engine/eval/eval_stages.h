// The stages of `search` applied to the ranking of memories, so that `eval --memory` can say what each gains.
//
// They are the functions that `search` itself calls. Pure; any thread.
// Private to engine/eval/.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "memory/recall/ranking.h"
#include "memory/tree/memory.h"

namespace knapsack {

struct SearchStageRow {
  std::string_view name;
  std::string_view meaning;
};
// rerank, mmr, and the two fusions of this ranking with that of each memory alone.
std::span<const SearchStageRow> search_stages();
bool is_search_stage(std::string_view name);

// `ranked` as the ranking has it, `alone` by BM25 of each memory alone (position and score), both best first.
// The positions in the order that the stage gives.
std::vector<size_t> apply_search_stage(std::string_view stage, std::string_view question,
                                       std::span<const memory::Memory> memories,
                                       std::span<const memory::RankedMemory> ranked,
                                       std::span<const memory::RankedMemory> alone);

}  // namespace knapsack

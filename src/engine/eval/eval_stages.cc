#include "engine/eval/eval_stages.h"

#include <algorithm>

#include "memory/tree/documents.h"
#include "search/diversity.h"
#include "search/fusion.h"
#include "search/query/text_match.h"

namespace knapsack {
namespace {

constexpr SearchStageRow kStages[] = {
    {"rerank", "with search.rerank: all words, close together or in the title"},
    {"mmr", "with search.mmr: repetitions come later"},
    {"fused-sum", "combined with BM25 of each memory, by scores"},
    {"fused-rrf", "combined with BM25 of each memory, by ranks"},
};

search::FusionList list_of(std::span<const memory::RankedMemory> ranked) {
  search::FusionList list;
  for (const memory::RankedMemory& each : ranked)
    list.items.push_back({static_cast<uint32_t>(each.position), each.score});
  return list;
}

std::vector<size_t> reranked(std::string_view question, std::span<const memory::Memory> memories,
                             std::span<const memory::RankedMemory> ranked) {
  // As deep as `search` looks.
  constexpr size_t kPool = 50;
  const search::TextMatch match(question);
  std::vector<std::pair<double, size_t>> scored;
  for (size_t i = 0; i < std::min(ranked.size(), kPool); ++i) {
    Score score{ranked[i].score, {}};
    const std::string& text = memories[ranked[i].position].text;
    search::rerank_score(score, match.measure(memory::opening_heading(text), text));
    scored.emplace_back(score.total, ranked[i].position);
  }
  std::stable_sort(scored.begin(), scored.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<size_t> positions;
  for (const auto& each : scored) positions.push_back(each.second);
  for (size_t i = positions.size(); i < ranked.size(); ++i) positions.push_back(ranked[i].position);
  return positions;
}

std::vector<size_t> spread_out(std::span<const memory::Memory> memories,
                               std::span<const memory::RankedMemory> ranked) {
  std::vector<double> scores;
  std::vector<search::WordSet> words;
  for (const memory::RankedMemory& each : ranked) {
    scores.push_back(each.score);
    if (words.size() < search::kMaxDiversified) words.emplace_back(memories[each.position].text);
  }
  std::vector<size_t> positions;
  for (const size_t place :
       search::diversify(scores, [&](size_t a, size_t b) { return words[a].similarity(words[b]); }))
    positions.push_back(ranked[place].position);
  return positions;
}

}  // namespace

std::span<const SearchStageRow> search_stages() {
  return kStages;
}

bool is_search_stage(std::string_view name) {
  return std::any_of(std::begin(kStages), std::end(kStages),
                     [&](const SearchStageRow& row) { return row.name == name; });
}

std::vector<size_t> apply_search_stage(std::string_view stage, std::string_view question,
                                       std::span<const memory::Memory> memories,
                                       std::span<const memory::RankedMemory> ranked,
                                       std::span<const memory::RankedMemory> alone) {
  if (stage == "rerank") return reranked(question, memories, ranked);
  if (stage == "mmr") return spread_out(memories, ranked);
  const std::vector<search::FusionList> lists = {list_of(ranked), list_of(alone)};
  const auto fusion = stage == "fused-rrf" ? search::Fusion::kReciprocalRank : search::Fusion::kSum;
  std::vector<size_t> positions;
  for (const search::FusedItem& each : search::fuse(lists, fusion)) positions.push_back(each.item);
  return positions;
}

}  // namespace knapsack

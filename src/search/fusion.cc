#include "search/fusion.h"

#include <algorithm>
#include <unordered_map>

namespace knapsack::search {
namespace {

bool takes_part(const FusionList& list) {
  return !list.items.empty() && list.weight > 0;
}

double part_of(const FusionList& list, size_t rank, Fusion fusion) {
  if (fusion == Fusion::kReciprocalRank)
    return (kReciprocalRankConstant + 1) / (kReciprocalRankConstant + static_cast<double>(rank));
  const double best = list.items.front().score;
  return best > 0 ? std::max(0.0, list.items[rank - 1].score / best) : 0;
}

bool before(const FusedItem& a, const FusedItem& b) {
  return a.score != b.score ? a.score > b.score : a.item < b.item;
}

}  // namespace

std::string_view to_string(Fusion fusion) {
  return fusion == Fusion::kSum ? "sum" : "rrf";
}

std::optional<Fusion> parse_fusion(std::string_view word) {
  for (const Fusion each : {Fusion::kSum, Fusion::kReciprocalRank}) {
    if (word == to_string(each)) return each;
  }
  return std::nullopt;
}

std::vector<FusedItem> fuse(std::span<const FusionList> lists, Fusion fusion) {
  double weights = 0;
  for (const FusionList& list : lists) weights += takes_part(list) ? list.weight : 0;
  std::vector<FusedItem> fused;
  std::unordered_map<uint32_t, size_t> places;
  for (size_t number = 0; number < lists.size(); ++number) {
    const FusionList& list = lists[number];
    if (!takes_part(list)) continue;
    for (size_t rank = 1; rank <= list.items.size(); ++rank) {
      const uint32_t item = list.items[rank - 1].item;
      const auto [place, is_new] = places.try_emplace(item, fused.size());
      if (is_new) fused.push_back({item, 0, std::vector<double>(lists.size())});
      FusedItem& into = fused[place->second];
      into.parts[number] = list.weight / weights * part_of(list, rank, fusion);
      into.score += into.parts[number];
    }
  }
  std::sort(fused.begin(), fused.end(), before);
  return fused;
}

std::vector<FusedItem> fuse_hybrid(std::vector<ScoredItem> words, std::vector<ScoredItem> meaning,
                                   const HybridOptions& options) {
  const bool both = !words.empty() && !meaning.empty();
  const double cosine = meaning.empty() ? 1 : std::min(1.0, meaning.front().score);
  const FusionList lists[] = {{std::move(words), both ? 1 - options.vector_weight : 1},
                              {std::move(meaning), both ? options.vector_weight : 1}};
  std::vector<FusedItem> fused = fuse(lists, options.fusion);
  if (options.fusion == Fusion::kReciprocalRank) return fused;
  for (FusedItem& each : fused) {
    each.parts[0] *= options.words_trust;
    each.parts[1] *= cosine;
    each.score = each.parts[0] + each.parts[1];
  }
  std::sort(fused.begin(), fused.end(), before);
  return fused;
}

}  // namespace knapsack::search

// Fusion: one order out of several lists that rank the same things by scores of different kinds.
//
//   sum   Σ over lists of  weight · score / best score of the list            (scores say how much better)
//   rrf   Σ over lists of  weight · 61 / (60 + rank)                          (only the order counts)
//
// Both are divided by the sum of the weights, so that what every list has first scores 1. A list that is
// empty or has no weight takes no part. The order is total: higher score first, then the smaller item. Pure;
// any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace knapsack::search {

enum class Fusion : uint8_t { kSum, kReciprocalRank };
std::string_view to_string(Fusion fusion);  // "sum", "rrf"
std::optional<Fusion> parse_fusion(std::string_view word);

// The constant of reciprocal rank fusion in the paper that proposed it (Cormack, Clarke and Büttcher, 2009):
// ranks far down still count a little.
inline constexpr double kReciprocalRankConstant = 60;

struct ScoredItem {
  uint32_t item = 0;
  double score = 0;
};

struct FusionList {
  std::vector<ScoredItem> items;  // best first, each item once
  double weight = 1;
};

struct FusedItem {
  uint32_t item = 0;
  double score = 0;
  std::vector<double> parts;  // what each list gave; they add up to the score
};

std::vector<FusedItem> fuse(std::span<const FusionList> lists, Fusion fusion);

// A hybrid search of one source: what words found, and what is near in meaning with cosines for scores.
struct HybridOptions {
  Fusion fusion = Fusion::kSum;
  double vector_weight = 0.5;  // of meaning against words, where both found something
  double words_trust = 1;      // how well the best by words answers, 0 to 1
};
// Parts: words, meaning. With kSum a list counts as much as its best result is to be trusted: by meaning,
// that is its cosine, so that the nearest of what is far does not look like an answer.
std::vector<FusedItem> fuse_hybrid(std::vector<ScoredItem> words, std::vector<ScoredItem> meaning,
                                   const HybridOptions& options);

}  // namespace knapsack::search

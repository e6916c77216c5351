#include "text/bpe.h"

#include <string>

#include "text/byte_pair_merge.h"
#include "text/rank_table.h"
#include "text/utf8.h"

// Defined by embedded_tables.S.
extern "C" {
extern __attribute__((visibility("hidden"))) const uint8_t knapsack_cl100k_ranks[];
extern __attribute__((visibility("hidden"))) const uint8_t knapsack_o200k_ranks[];
}

namespace knapsack {

constinit const BpeEncoding kCl100k(first_piece_cl100k, knapsack_cl100k_ranks);
constinit const BpeEncoding kO200k(first_piece_o200k, knapsack_o200k_ranks);

size_t BpeEncoding::count(std::string_view text) const {
  if (!valid_utf8(text)) return count(replace_invalid_utf8(text));
  const RankTable ranks(ranks_);
  BytePairMerge merge(ranks);
  size_t tokens = 0;
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, first_piece_(text));
    tokens += ranks.find(piece) != RankTable::kNoRank ? 1 : merge.count(piece);
    text.remove_prefix(piece.size());
  }
  return tokens;
}

std::vector<uint32_t> BpeEncoding::encode(std::string_view text) const {
  if (!valid_utf8(text)) return encode(replace_invalid_utf8(text));
  const RankTable ranks(ranks_);
  BytePairMerge merge(ranks);
  std::vector<uint32_t> tokens;
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, first_piece_(text));
    const uint32_t rank = ranks.find(piece);
    if (rank != RankTable::kNoRank) {
      tokens.push_back(rank);
    } else {
      merge.encode(piece, tokens);
    }
    text.remove_prefix(piece.size());
  }
  return tokens;
}

}  // namespace knapsack

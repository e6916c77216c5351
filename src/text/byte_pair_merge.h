// BytePairMerge: cuts one piece into tokens by merging, from single bytes up, the adjacent pair of lowest
// rank, leftmost first, until no pair is a token.
//
// Short pieces are scanned for that pair each time; long ones keep the pairs in a heap, so that n bytes take
// O(n log n) whatever they are. Both give the same parts. An object holds scratch memory and serves one
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/rank_table.h"

namespace knapsack {

class BytePairMerge {
 public:
  // Below this many bytes scanning beats the heap; measured, see bench/token_counter_bench.cc.
  static constexpr size_t kLongPiece = 128;

  explicit BytePairMerge(const RankTable& ranks) : ranks_(ranks) {}

  // Both take a piece of at least one byte and less than 4 GiB. The number of tokens:
  size_t count(std::string_view piece);
  // The same tokens, appended:
  void encode(std::string_view piece, std::vector<uint32_t>& tokens);

  // The same results by the heap whatever the length: what tests compare.
  size_t count_by_heap(std::string_view piece);

 private:
  struct Part {
    uint32_t previous;
    uint32_t next;       // where the following part begins; the piece's size for the last
    uint32_t pair_rank;  // of this part and the next together, or RankTable::kNoRank
  };

  size_t merge_short(std::string_view piece);
  size_t merge_long(std::string_view piece);
  uint32_t rank_of_pair(std::string_view piece, const Part& part, size_t begin) const;

  const RankTable& ranks_;
  uint32_t starts_[kLongPiece + 1];  // merge_short: where the parts begin, and the end of the piece
  uint32_t pair_ranks_[kLongPiece];
  std::vector<Part> parts_;      // merge_long: by the position of a part's first byte
  std::vector<uint64_t> queue_;  // rank << 32 | position, a min-heap; entries may be out of date
};

}  // namespace knapsack

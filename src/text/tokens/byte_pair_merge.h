// BytePairMerge: cuts one piece into tokens by merging, from single bytes up, the adjacent pair that makes
// the lowest token, leftmost first, until no pair makes one.
//
// Short pieces are scanned for that pair each time; long ones keep the pairs in a heap, so that n bytes take
// O(n log n) whatever they are. Both give the same tokens. An object holds scratch memory and serves one
// thread.
// Private to text/tokens/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/tokens/bpe_table.h"

namespace knapsack {

class BytePairMerge {
 public:
  // From this many bytes on the heap is used: about where it overtakes the scan, measured on prose without
  // spaces.
  static constexpr size_t kLongPiece = 504;

  explicit BytePairMerge(const BpeTable& table) : table_(table) {}

  // Both take a piece of at least one byte and less than 4 GiB. The number of tokens:
  size_t count(std::string_view piece) {
    return piece.size() < kLongPiece ? merge_short(piece) : merge_long(piece);
  }
  // The same tokens, appended:
  void encode(std::string_view piece, std::vector<uint32_t>& tokens);

 private:
  // One part of a long piece, at the index of its first byte.
  struct Part {
    uint32_t token;
    uint32_t merged;    // what this part and the next make, or kNoToken
    uint32_t previous;  // where the parts beside it begin
    uint32_t next;
  };

  size_t merge_short(std::string_view piece);
  size_t merge_long(std::string_view piece);

  // Of a short piece, by the position of a part's first byte, from 1: position 0 and the one after the last
  // byte hold kNoToken, which merges with nothing, so that the ends need no care.
  static constexpr size_t kLanes = 8;
  static constexpr uint32_t kPositionBits = 9;
  static constexpr size_t kPositions = size_t{1} << kPositionBits;
  static_assert(kLongPiece + kLanes <= kPositions);
  uint32_t tokens_[kPositions];
  uint16_t previous_[kPositions];
  uint16_t next_[kPositions];
  // What the part and the next make, and the position in the low bits: the least is the pair to merge.
  int32_t keys_[kPositions];

  std::vector<Part> parts_;
  std::vector<uint64_t> queue_;  // merged << 32 | position, a min-heap; entries may be out of date

  const BpeTable& table_;
};

}  // namespace knapsack

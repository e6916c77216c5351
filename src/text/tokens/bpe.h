// BpeEncoding: the exact tokens of a text by a published encoding, as its reference implementation finds them
// when no special token is allowed: "<|endoftext|>" in a text is ordinary text.
//
// Any bytes are accepted. The reference takes valid text only; what is not UTF-8 counts as the U+FFFD that
// sanitize_utf8 would put there. Encodings are constant: any thread may use the same one, and nothing is set
// up before its first use.
// Private to text/tokens/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/tokens/bpe_table.h"
#include "text/tokens/pretokenizer.h"

namespace knapsack {

class BpeEncoding {
 public:
  constexpr BpeEncoding(FirstPiece first_piece, const uint8_t* table)
      : first_piece_(first_piece), table_(table) {}

  size_t count(std::string_view text) const;
  std::vector<uint32_t> encode(std::string_view text) const;

  // The two halves of counting, for who counts many overlapping texts at once.
  size_t first_piece_size(std::string_view text) const { return first_piece_(text); }
  BpeTable vocabulary() const { return BpeTable(table_); }

 private:
  FirstPiece first_piece_;
  const uint8_t* table_;  // the bytes of an embedded BpeTable
};

extern const BpeEncoding kCl100k;
extern const BpeEncoding kO200k;

}  // namespace knapsack

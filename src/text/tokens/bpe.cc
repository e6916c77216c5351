#include "text/tokens/bpe.h"

#include <string>

#include "text/tokens/byte_pair_merge.h"
#include "text/tokens/piece_counter.h"
#include "text/unicode/utf8.h"

namespace knapsack {

constinit const BpeEncoding kCl100k(first_piece_cl100k, knapsack_cl100k_table);
constinit const BpeEncoding kO200k(first_piece_o200k, knapsack_o200k_table);

size_t BpeEncoding::count(std::string_view text) const {
  if (!valid_utf8(text)) return count(replace_invalid_utf8(text));
  PieceCounter pieces(vocabulary());
  size_t tokens = 0;
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, first_piece_(text));
    tokens += pieces.count(piece, text.size());
    text.remove_prefix(piece.size());
  }
  return tokens;
}

std::vector<uint32_t> BpeEncoding::encode(std::string_view text) const {
  if (!valid_utf8(text)) return encode(replace_invalid_utf8(text));
  const BpeTable table = vocabulary();
  BytePairMerge merge(table);
  std::vector<uint32_t> tokens;
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, first_piece_(text));
    const uint32_t token = table.find(piece);
    if (token != kNoToken) {
      tokens.push_back(token);
    } else {
      merge.encode(piece, tokens);
    }
    text.remove_prefix(piece.size());
  }
  return tokens;
}

}  // namespace knapsack

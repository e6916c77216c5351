// RangeCounter: how many tokens each of many ranges of one text is, for little more than counting it once.
//
// tokens(begin, end) is exactly the counter's count of those bytes alone, for any ranges in any order: lines,
// chunks, symbols within symbols.
//
// An exact counter cuts a text into pieces, each from where the last one ended, and sums up their tokens.
// reset() does that for the whole text and keeps the borders. Two facts make the rest cheap. Where to cut
// depends only on what follows: once a range's own cuts meet a border of the whole text, they stay on its
// borders. And cutting a text short changes no piece that ends before the cut, except that white space at the
// very end is one piece: `\s+(?!\S)` is the only part of the patterns that looks beyond its match. So a range
// costs the few pieces that are cut anew at both ends. The approximate counters go at the speed of memory and
// are simply asked.
//
// An object is scratch memory for one thread; once it has grown to the largest text it allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokens/piece_borders.h"
#include "text/tokens/piece_counter.h"
#include "text/tokens/token_counter.h"

namespace knapsack {

class RangeCounter {
 public:
  // The counter outlives the object.
  explicit RangeCounter(const TokenCounter& counter);

  // From now on ranges are of this text, of less than 4 GiB, which outlives their counting.
  void reset(std::string_view text);

  // Of the bytes [begin, end) of the text.
  uint64_t tokens(size_t begin, size_t end);

 private:
  // What is not UTF-8 and the U+FFFD that stands for it in `repaired_`.
  struct Repair {
    size_t begin, end;    // in the text
    size_t repaired_end;  // in the repaired one
  };

  void repair(std::string_view text);
  std::optional<size_t> in_valid_text(size_t at) const;
  uint64_t tokens_of_piece(size_t begin, size_t& end);

  const TokenCounter& counter_;
  const BpeEncoding* const encoding_;     // null: an approximate counter
  std::unique_ptr<PieceCounter> pieces_;  // of an exact one

  std::string_view text_;
  std::string_view valid_;  // text_, or repaired_ where that is not UTF-8
  std::string repaired_;
  std::vector<Repair> repairs_;
  PieceBorders borders_;  // of valid_
};

}  // namespace knapsack

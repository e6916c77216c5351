// PieceBorders: where the pieces of a text end, and how many tokens there are up to each of those places.
//
// A bit for each byte of the text marks a border, with the number of marks before each word of bits, so that
// every question takes the same few steps however many pieces there are. Filled from left to right, then
// asked. For one thread; memory is kept from text to text.
// Private to text/tokens/.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace knapsack {

class PieceBorders {
 public:
  // Begins a text of this many bytes: its beginning is a border.
  void start(size_t text_bytes) {
    words_.assign(text_bytes / 64 + 1, Word{});
    tokens_.clear();
    add(0, 0);
  }
  // The next border, right of all others, and the tokens of the text before it.
  void add(size_t at, uint32_t tokens) {
    words_[at / 64].marks |= uint64_t{1} << (at % 64);
    tokens_.push_back(tokens);
  }
  // The last border has been added; now the text can be asked about.
  void finish() {
    uint32_t marks = 0;
    for (Word& word : words_) {
      word.marks_before = marks;
      marks += static_cast<uint32_t>(std::popcount(word.marks));
    }
  }

  bool contains(size_t at) const { return (words_[at / 64].marks >> (at % 64) & 1) != 0; }

  // The last border at or before `at`.
  size_t last_until(size_t at) const {
    size_t word = at / 64;
    uint64_t marks = words_[word].marks & (~uint64_t{0} >> (63 - at % 64));
    while (marks == 0) marks = words_[--word].marks;
    return word * 64 + 63 - static_cast<size_t>(std::countl_zero(marks));
  }

  // Tokens of the text before a border.
  uint32_t tokens_before(size_t border) const {
    const Word& word = words_[border / 64];
    const uint64_t left = word.marks & ((uint64_t{1} << (border % 64)) - 1);
    return tokens_[word.marks_before + static_cast<uint32_t>(std::popcount(left))];
  }

 private:
  struct Word {
    uint64_t marks = 0;
    uint32_t marks_before = 0;
  };
  std::vector<Word> words_;
  std::vector<uint32_t> tokens_;  // by the number of the border
};

}  // namespace knapsack

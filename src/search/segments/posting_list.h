// Posting lists: the units that hold a term, ascending, and how often each holds it.
//
// Units come in blocks of 128: the last unit of the block, then bit-packed gaps and frequencies. What is left
// over at the end is varints. docs/formats.md has the bytes. A reader never trusts them: a list that does not
// hold exactly `count` ascending units below `unit_limit` is reported as damaged, never read out of range.
// Private to search/segments/.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "search/segments/bit_packing.h"

namespace knapsack::search {

// Above this a frequency is not counted on; one less fits 31 bits, so adding one back never overflows.
constexpr uint32_t kMaxFrequency = uint32_t{1} << 31;

struct Posting {
  uint32_t unit = 0;
  uint32_t frequency = 0;  // 1 to kMaxFrequency
};

// Units strictly ascending.
void append_posting_list(std::span<const Posting> postings, std::string& out);

struct PostingBlock {
  std::array<uint32_t, kBlockSize> units;
  std::array<uint32_t, kBlockSize> frequencies;
  size_t size = 0;
  uint32_t frequency_limit = kMaxFrequency;  // no frequency is above this
};

// Goes over the blocks of one list. Cheap to copy; it holds a position, not the numbers.
class PostingReader {
 public:
  PostingReader() = default;
  // `bytes` must outlive the reader.
  PostingReader(std::string_view bytes, uint32_t count, uint32_t unit_limit);
  // A list of one, which the dictionary holds itself.
  static PostingReader single(uint32_t unit, uint32_t frequency);

  bool done() const { return remaining_ == 0; }
  // No unit that is still to come is smaller than this.
  uint32_t next_unit() const { return next_unit_; }
  // The caller took all units below `unit` from the current block.
  void set_next_unit(uint32_t unit) { next_unit_ = unit; }

  // The current block, whole; false when the list is damaged. The reader stays where it is.
  [[nodiscard]] bool decode(PostingBlock& block) const;
  // The same without the frequencies.
  [[nodiscard]] bool decode_units(PostingBlock& block) const;
  // On to the next block, past the decoded one.
  void advance(const PostingBlock& decoded);
  // Leaves out blocks that end before `unit`, without decoding them; false when the list is damaged.
  [[nodiscard]] bool skip_to(uint32_t unit);

 private:
  struct Header;
  bool full_block() const { return remaining_ >= kBlockSize; }
  bool read_header(Header& header) const;
  bool decode_full(PostingBlock& block, bool with_frequencies) const;
  bool decode_rest(PostingBlock& block) const;

  std::string_view rest_;
  uint32_t remaining_ = 0;
  uint32_t unit_limit_ = 0;
  uint32_t base_ = 0;  // the first unit that the current block could hold
  uint32_t next_unit_ = 0;
  uint32_t single_frequency_ = 0;  // not zero: a list of one, next_unit_ with this frequency
};

}  // namespace knapsack::search

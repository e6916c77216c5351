#include "search/segments/posting_list.h"

#include <algorithm>

#include "core/byte_reader.h"

namespace knapsack::search {

// Before the packed numbers of a full block.
struct PostingReader::Header {
  static constexpr size_t kBytes = sizeof(uint32_t) + 2;

  uint32_t last_unit;
  int gap_bits;
  int frequency_bits;
  size_t block_bytes;  // header and numbers
};

void append_posting_list(std::span<const Posting> postings, std::string& out) {
  const size_t count = postings.size();
  const size_t packed = count / kBlockSize * kBlockSize;
  uint32_t base = 0;
  for (size_t begin = 0; begin < packed; begin += kBlockSize) {
    std::array<uint32_t, kBlockSize> gaps, frequencies;
    for (size_t i = 0; i < kBlockSize; ++i) {
      gaps[i] = postings[begin + i].unit - base;
      base = postings[begin + i].unit + 1;
      frequencies[i] = postings[begin + i].frequency - 1;
    }
    const int gap_bits = bits_needed(gaps.data());
    const int frequency_bits = bits_needed(frequencies.data());
    append_number(out, base - 1);
    append_number(out, static_cast<uint8_t>(gap_bits));
    append_number(out, static_cast<uint8_t>(frequency_bits));
    pack(gaps.data(), gap_bits, out);
    pack(frequencies.data(), frequency_bits, out);
  }
  // The lowest bit of a gap says that a frequency above one follows; most do not need it.
  for (size_t i = packed; i < count; ++i) {
    const uint64_t gap = postings[i].unit - base;
    const bool repeated = postings[i].frequency > 1;
    append_varint(out, gap << 1 | (repeated ? 1 : 0));
    if (repeated) append_varint(out, postings[i].frequency);
    base = postings[i].unit + 1;
  }
}

PostingReader::PostingReader(std::string_view bytes, uint32_t count, uint32_t unit_limit)
    : rest_(bytes), remaining_(count), unit_limit_(unit_limit) {}

PostingReader PostingReader::single(uint32_t unit, uint32_t frequency) {
  PostingReader reader;
  reader.remaining_ = 1;
  reader.next_unit_ = unit;
  reader.single_frequency_ = frequency;
  return reader;
}

bool PostingReader::read_header(Header& header) const {
  if (rest_.size() < Header::kBytes) return false;
  header.last_unit = load<uint32_t>(rest_.data());
  header.gap_bits = static_cast<uint8_t>(rest_[4]);
  header.frequency_bits = static_cast<uint8_t>(rest_[5]);
  constexpr int kMaxGapBits = 32, kMaxFrequencyBits = 31;  // see kMaxFrequency
  if (header.gap_bits > kMaxGapBits || header.frequency_bits > kMaxFrequencyBits) return false;
  header.block_bytes = Header::kBytes + packed_size(header.gap_bits) + packed_size(header.frequency_bits);
  // Ascending units need room: the last of 128 is at least 127 after the first.
  return rest_.size() >= header.block_bytes && header.last_unit < unit_limit_ &&
         header.last_unit >= base_ + (kBlockSize - 1);
}

bool PostingReader::decode_full(PostingBlock& block, bool with_frequencies) const {
  Header header{};
  if (!read_header(header)) return false;
  const char* packed = rest_.data() + Header::kBytes;
  unpack(packed, header.gap_bits, block.units.data());
  // Gaps are not negative, so when the 64-bit sum ends at a 32-bit unit no step on the way overflowed.
  uint64_t sum = base_;
  for (size_t i = 0; i < kBlockSize; ++i) {
    sum += block.units[i];
    block.units[i] = static_cast<uint32_t>(sum + i);
  }
  if (sum + (kBlockSize - 1) != header.last_unit) return false;
  if (with_frequencies) {
    unpack(packed + packed_size(header.gap_bits), header.frequency_bits, block.frequencies.data());
    for (size_t i = 0; i < kBlockSize; ++i) ++block.frequencies[i];
  }
  block.size = kBlockSize;
  block.frequency_limit = uint32_t{1} << header.frequency_bits;
  return true;
}

bool PostingReader::decode_rest(PostingBlock& block) const {
  ByteReader reader(rest_);
  uint64_t next = base_;
  for (uint32_t i = 0; i < remaining_; ++i) {
    const uint64_t gap = reader.varint();
    next += gap >> 1;
    const uint32_t frequency = (gap & 1) != 0 ? reader.varint32() : 1;
    if (reader.failed() || next >= unit_limit_ || frequency == 0 || frequency > kMaxFrequency) return false;
    block.units[i] = static_cast<uint32_t>(next++);
    block.frequencies[i] = frequency;
  }
  block.size = remaining_;
  block.frequency_limit = kMaxFrequency;
  return reader.at_end();
}

bool PostingReader::decode(PostingBlock& block) const {
  if (single_frequency_ != 0) {
    block.units[0] = next_unit_;
    block.frequencies[0] = single_frequency_;
    block.size = 1;
    block.frequency_limit = kMaxFrequency;
    return true;
  }
  return full_block() ? decode_full(block, true) : decode_rest(block);
}

bool PostingReader::decode_units(PostingBlock& block) const {
  return single_frequency_ == 0 && full_block() ? decode_full(block, false) : decode(block);
}

void PostingReader::advance(const PostingBlock& decoded) {
  if (single_frequency_ == 0 && full_block()) {
    Header header{};
    if (read_header(header)) rest_.remove_prefix(header.block_bytes);
  }
  base_ = decoded.units[decoded.size - 1] + 1;
  next_unit_ = base_;
  remaining_ -= static_cast<uint32_t>(decoded.size);
}

bool PostingReader::skip_to(uint32_t unit) {
  while (single_frequency_ == 0 && full_block()) {
    Header header{};
    if (!read_header(header)) return false;
    if (header.last_unit >= unit) break;
    rest_.remove_prefix(header.block_bytes);
    base_ = header.last_unit + 1;
    remaining_ -= kBlockSize;
  }
  next_unit_ = std::max(next_unit_, base_);
  return true;
}

}  // namespace knapsack::search

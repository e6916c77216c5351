// RankTable: from the bytes of a BPE token to its rank, read in place from a table that the build embeds.
//
// tools/make_rank_table.cc writes the bytes that this class reads, with the hash and the layout given here,
// so the two cannot drift apart. A table is position-independent, constant and complete: using one means no
// parsing, no allocation and no locks, and only the pages that are looked at are ever read from disk.
//
// Layout: header, slots, long tails. Open addressing with linear probing over 16-byte slots, four to a cache
// line. A token of up to 12 bytes (19 of 20) lies in its slot whole, so that most lookups, and nearly all
// that find nothing, touch one cache line. Empty slots follow the last bucket: a probe never wraps around.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace knapsack {

static_assert(std::endian::native == std::endian::little, "rank tables are written and read little-endian");

struct RankTableHeader {
  static constexpr uint32_t kMagic = 0x314B4E52;  // "RNK1"

  uint32_t magic = kMagic;
  uint32_t bucket_count = 0;  // slots that a hash can name; more slots follow for probing
  uint32_t slot_count = 0;
  uint32_t longest_token = 0;
  uint8_t padding[48] = {};  // slots begin on a cache line
};
static_assert(sizeof(RankTableHeader) == 64);

struct RankSlot {
  uint64_t head = 0;  // the first 8 bytes, zero-padded
  uint32_t rest = 0;  // of 9 to 12 bytes: the last 4; of more: where bytes 8… lie in the long tails
  uint32_t length_and_rank = 0;  // length << 24 | rank; 0: the slot is empty

  static constexpr uint32_t kRankBits = 24;
  uint32_t length() const { return length_and_rank >> kRankBits; }
  uint32_t rank() const { return length_and_rank & ((1U << kRankBits) - 1); }
};
static_assert(sizeof(RankSlot) == 16);

// What is hashed and compared of a token: never more than its first 8 and its last 8 bytes.
struct RankKey {
  static constexpr size_t kHeadBytes = 8;
  static constexpr size_t kInlineBytes = 12;

  uint64_t head = 0;
  uint64_t last = 0;  // the last 8 bytes; 0 where the head holds all

  explicit RankKey(std::string_view token) {
    const char* bytes = token.data();
    const size_t size = token.size();
    if (size >= kHeadBytes) {
      head = load<uint64_t>(bytes);
      if (size > kHeadBytes) last = load<uint64_t>(bytes + size - kHeadBytes);
    } else if (size >= 4) {
      // Two loads that overlap: the bytes they share land on the same place with the same value.
      head = load<uint32_t>(bytes) | uint64_t{load<uint32_t>(bytes + size - 4)} << (8 * (size - 4));
    } else if (size > 0) {
      const auto byte = [bytes](size_t i) { return uint64_t{static_cast<uint8_t>(bytes[i])} << (8 * i); };
      head = byte(0) | byte(size / 2) | byte(size - 1);
    }
  }

  // The 4 last bytes of a token of 9 to 12.
  uint32_t last_four() const { return static_cast<uint32_t>(last >> 32); }

  // Two odd constants with no pattern in their bits (from the fractional parts of the golden ratio and of
  // pi). A product spreads low bits upwards only, so the halves are folded before the second one.
  uint32_t bucket(size_t size, uint32_t bucket_count) const {
    uint64_t hash = (head ^ std::rotl(last, 29) ^ size) * 0x9E3779B97F4A7C15U;
    hash = (hash ^ (hash >> 32)) * 0x243F6A8885A308D3U;
    return static_cast<uint32_t>(((hash >> 32) * bucket_count) >> 32);
  }

 private:
  template <class T>
  static T load(const char* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }
};

class RankTable {
 public:
  static constexpr uint32_t kNoRank = UINT32_MAX;

  // `bytes` must outlive the table and begin with a header; both are true of what the build embeds.
  explicit RankTable(const uint8_t* bytes)
      : header_(reinterpret_cast<const RankTableHeader*>(bytes)),
        slots_(reinterpret_cast<const RankSlot*>(bytes + sizeof(RankTableHeader))),
        long_tails_(reinterpret_cast<const char*>(slots_ + header_->slot_count)) {}

  // The rank of the token that has exactly these bytes, or kNoRank.
  uint32_t find(std::string_view token) const {
    const size_t size = token.size();
    if (size > header_->longest_token) return kNoRank;
    const RankKey key(token);
    for (const RankSlot* slot = slots_ + key.bucket(size, header_->bucket_count);; ++slot) {
      if (slot->length_and_rank == 0) return kNoRank;
      if (slot->head == key.head && slot->length() == size && same_rest(*slot, key, token))
        return slot->rank();
    }
  }

 private:
  bool same_rest(const RankSlot& slot, const RankKey& key, std::string_view token) const {
    if (token.size() <= RankKey::kHeadBytes) return true;
    if (token.size() <= RankKey::kInlineBytes) return slot.rest == key.last_four();
    return std::memcmp(long_tails_ + slot.rest, token.data() + RankKey::kHeadBytes,
                       token.size() - RankKey::kHeadBytes) == 0;
  }

  const RankTableHeader* header_;
  const RankSlot* slots_;
  const char* long_tails_;
};

}  // namespace knapsack

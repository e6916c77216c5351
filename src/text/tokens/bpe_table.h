// BpeTable: the vocabulary of a BPE encoding, read in place from bytes that the build embeds.
//
// It answers two questions: which token has these bytes, and which token do two adjacent ones merge into. A
// token is its rank. tools/make_bpe_table.cc writes the bytes with the layout and the hashes given here, so
// the two cannot drift apart. Using a table means no parsing, no allocation and no locks, and only the pages
// that are looked at are ever read from disk. Constant data; any thread.
// Private to text/tokens/.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "text/tokens/perfect_hash.h"

namespace knapsack {

static_assert(std::endian::native == std::endian::little, "tables are written and read little-endian");

// Tokens have 20 bits: five times the larger of the two vocabularies.
inline constexpr uint32_t kTokenBits = 20;
inline constexpr uint32_t kNoToken = (1U << kTokenBits) - 1;

// Offsets are in bytes from the beginning of the header.
struct BpeTableHeader {
  uint32_t longest_token;
  uint32_t token_slot_count, token_slots;
  uint32_t token_pilot_count, token_pilots;
  uint32_t merge_slot_count, merge_slots;
  uint32_t merge_pilot_count, merge_pilots;
  uint32_t byte_tokens;  // 256 tokens, of the single bytes
  uint32_t long_tails;   // what the slots of long tokens do not hold
  uint32_t padding[5];
};
static_assert(sizeof(BpeTableHeader) == 64);

// A token of up to 12 bytes (19 of 20) lies in its slot whole: comparing touches one cache line.
struct TokenSlot {
  static constexpr size_t kHeadBytes = 8;
  static constexpr size_t kInlineBytes = 12;

  uint64_t head;              // the first 8 bytes, zero-padded
  uint32_t rest;              // of 9 to 12 bytes: the last 4; of more: where bytes 8… lie in the long tails
  uint32_t length_and_token;  // length << 20 | token; length 0: empty

  uint32_t length() const { return length_and_token >> kTokenBits; }
  uint32_t token() const { return length_and_token & kNoToken; }
};
static_assert(sizeof(TokenSlot) == 16);

// What is compared first of a token's bytes, and their hash.
struct TokenKey {
  uint64_t head = 0;  // as in TokenSlot
  uint64_t last = 0;  // the last 8 bytes; 0 where the head holds all

  explicit TokenKey(std::string_view token) {
    const char* bytes = token.data();
    const size_t size = token.size();
    if (size >= 8) {
      head = load<uint64_t>(bytes);
      if (size > 8) last = load<uint64_t>(bytes + size - 8);
    } else if (size >= 4) {
      // Two loads that overlap: the bytes they share land on the same place with the same value.
      head = load<uint32_t>(bytes) | uint64_t{load<uint32_t>(bytes + size - 4)} << (8 * (size - 4));
    } else if (size > 0) {
      const auto byte = [bytes](size_t i) { return uint64_t{static_cast<uint8_t>(bytes[i])} << (8 * i); };
      head = byte(0) | byte(size / 2) | byte(size - 1);
    }
  }

  uint32_t last_four() const { return static_cast<uint32_t>(last >> 32); }

  uint64_t hash(std::string_view token) const {
    uint64_t hash = head * kMultiplier + token.size() * 0x243F6A8885A308D3U;
    hash = (std::rotl(hash, 32) ^ last) * kMultiplier;
    // Only tokens of more than 16 bytes have some that neither end covers.
    for (size_t i = 8; i + 8 < token.size(); i += 8) {
      hash = (std::rotl(hash, 32) ^ load<uint64_t>(token.data() + i)) * kMultiplier;
    }
    return hash ^ (hash >> 32);
  }

 private:
  static constexpr uint64_t kMultiplier =
      0x9E3779B97F4A7C15;  // 2^64 over the golden ratio: odd, without pattern

  template <class T>
  static T load(const char* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }
};

// left << 40 | right << 20 | what they merge into; empty slots have all bits set.
using MergeSlot = uint64_t;

inline uint64_t merge_key(uint32_t left, uint32_t right) {
  return uint64_t{left} << kTokenBits | right;
}
inline uint64_t merge_hash(uint64_t key) {
  const uint64_t hash = key * 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 32);
}

class BpeTable {
 public:
  // `bytes` begin with a header and outlive the table.
  explicit BpeTable(const uint8_t* bytes)
      : longest_token_(header(bytes).longest_token),
        tokens_(at<TokenSlot>(bytes, header(bytes).token_slots)),
        merges_(at<MergeSlot>(bytes, header(bytes).merge_slots)),
        byte_tokens_(at<uint32_t>(bytes, header(bytes).byte_tokens)),
        long_tails_(at<char>(bytes, header(bytes).long_tails)),
        token_hash_(at<uint16_t>(bytes, header(bytes).token_pilots), header(bytes).token_pilot_count,
                    header(bytes).token_slot_count),
        merge_hash_(at<uint16_t>(bytes, header(bytes).merge_pilots), header(bytes).merge_pilot_count,
                    header(bytes).merge_slot_count) {}

  // The token that has exactly these bytes, at least one; or kNoToken.
  uint32_t find(std::string_view bytes) const {
    if (bytes.size() > longest_token_) return kNoToken;
    const TokenKey key(bytes);
    const TokenSlot& slot = tokens_[token_hash_.slot(key.hash(bytes))];
    if (slot.head != key.head || slot.length() != bytes.size() || !same_rest(slot, key, bytes))
      return kNoToken;
    return slot.token();
  }

  // Every single byte is a token.
  uint32_t of_byte(char byte) const { return byte_tokens_[static_cast<uint8_t>(byte)]; }

  // What two adjacent tokens merge into, or kNoToken; also when one of them is kNoToken. Without a branch:
  // whether a pair merges is as good as random.
  uint32_t merge(uint32_t left, uint32_t right) const {
    const uint64_t key = merge_key(left, right);
    const MergeSlot slot = merges_[merge_hash_.slot(merge_hash(key))];
    return slot >> kTokenBits == key ? static_cast<uint32_t>(slot) & kNoToken : kNoToken;
  }

 private:
  static const BpeTableHeader& header(const uint8_t* bytes) {
    return *reinterpret_cast<const BpeTableHeader*>(bytes);
  }
  template <class T>
  static const T* at(const uint8_t* bytes, uint32_t offset) {
    return reinterpret_cast<const T*>(bytes + offset);
  }

  bool same_rest(const TokenSlot& slot, const TokenKey& key, std::string_view bytes) const {
    if (bytes.size() <= TokenSlot::kHeadBytes) return true;
    if (bytes.size() <= TokenSlot::kInlineBytes) return slot.rest == key.last_four();
    return std::memcmp(long_tails_ + slot.rest, bytes.data() + TokenSlot::kHeadBytes,
                       bytes.size() - TokenSlot::kHeadBytes) == 0;
  }

  uint32_t longest_token_;
  const TokenSlot* tokens_;
  const MergeSlot* merges_;
  const uint32_t* byte_tokens_;
  const char* long_tails_;
  PerfectHash token_hash_;
  PerfectHash merge_hash_;
};

// What the build embeds (embedded_tables.S).
extern "C" {
extern __attribute__((visibility("hidden"))) const uint8_t knapsack_cl100k_table[];
extern __attribute__((visibility("hidden"))) const uint8_t knapsack_o200k_table[];
}

}  // namespace knapsack

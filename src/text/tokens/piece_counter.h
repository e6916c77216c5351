// PieceCounter: how many tokens the pieces of a text are, with a memory of those that it met lately.
//
// A few hundred pieces make up most of any text, and looking one up in the vocabulary reaches far into
// tables of several megabytes. So the counts of short pieces are kept in a small table that stays in the
// nearest cache; a piece that falls on another's place replaces it. The answer never depends on what is
// remembered. An object is scratch memory for one thread; setting one up touches a few hundred bytes.
// Private to text/tokens/.
#pragma once

#include <bit>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "text/tokens/bpe_table.h"
#include "text/tokens/byte_pair_merge.h"

namespace knapsack {

class PieceCounter {
 public:
  explicit PieceCounter(const BpeTable& table) : table_(table), merge_(table_) {}
  PieceCounter(const PieceCounter&) = delete;
  PieceCounter& operator=(const PieceCounter&) = delete;

  // The tokens of a piece of at least one byte. `readable`: how many bytes may be read from where it begins,
  // at least its own.
  size_t count(std::string_view piece, size_t readable) {
    if (piece.size() > kRememberedBytes || readable < kRememberedBytes) return count_anew(piece);
    const Key key(piece);
    const size_t place = key.place(piece.size());
    Remembered& remembered = remembered_[place];
    if (used_[place] && remembered.key == key && remembered.size == piece.size()) return remembered.tokens;
    const size_t tokens = count_anew(piece);
    used_[place] = true;
    remembered = {key, static_cast<uint8_t>(piece.size()), static_cast<uint8_t>(tokens)};
    return tokens;
  }

 private:
  // 19 of 20 pieces of source code and of prose have no more bytes.
  static constexpr size_t kRememberedBytes = 16;
  // Measured on source code: half as many are a tenth slower, twice as many no faster. 96 KiB.
  static constexpr size_t kPlaceBits = 12;

  // The bytes of a piece, those beyond its end cleared. Read at full width and masked, because a branch on
  // the length of a piece is one that no processor predicts.
  struct Key {
    uint64_t low;
    uint64_t high;

    Key() = default;
    explicit Key(std::string_view piece) {
      const size_t bits = piece.size() * 8;
      std::memcpy(&low, piece.data(), sizeof low);
      std::memcpy(&high, piece.data() + sizeof low, sizeof high);
      low &= bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
      high &= bits >= 128 ? ~uint64_t{0} : bits <= 64 ? 0 : (uint64_t{1} << (bits - 64)) - 1;
    }
    bool operator==(const Key&) const = default;

    size_t place(size_t size) const {
      const uint64_t hash = (low ^ std::rotl(high, 32)) * 0x9E3779B97F4A7C15U + size;
      return hash * 0x243F6A8885A308D3U >> (64 - kPlaceBits);
    }
  };

  struct Remembered {
    Key key;
    uint8_t size;
    uint8_t tokens;
  };

  size_t count_anew(std::string_view piece) {
    return table_.find(piece) != kNoToken ? 1 : merge_.count(piece);
  }

  const BpeTable table_;
  BytePairMerge merge_;
  std::bitset<size_t{1} << kPlaceBits> used_;
  static_assert(std::is_trivially_default_constructible_v<Remembered>);
  Remembered remembered_[size_t{1} << kPlaceBits];  // nothing is set but where used_ says so
};

}  // namespace knapsack

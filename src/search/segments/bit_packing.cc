#include "search/segments/bit_packing.h"

#include <array>
#include <bit>
#include <utility>

#include "core/byte_reader.h"

namespace knapsack::search {
namespace {

constexpr size_t kLanes = 4;
constexpr size_t kRows = kBlockSize / kLanes;
constexpr size_t kWordBits = 32;
constexpr size_t kRowBytes = kLanes * sizeof(uint32_t);

// One row: the same bits of four lanes. Everything but the data is known when this is compiled.
template <size_t kBits, size_t kRow>
void unpack_row(const char* packed, uint32_t* numbers) {
  constexpr size_t kWord = kRow * kBits / kWordBits;
  constexpr size_t kShift = kRow * kBits % kWordBits;
  constexpr uint32_t kMask = kBits == kWordBits ? UINT32_MAX : (uint32_t{1} << kBits) - 1;
  for (size_t lane = 0; lane < kLanes; ++lane) {
    const char* at = packed + kWord * kRowBytes + lane * sizeof(uint32_t);
    uint32_t value = load<uint32_t>(at) >> kShift;
    if constexpr (kShift + kBits > kWordBits) value |= load<uint32_t>(at + kRowBytes) << (kWordBits - kShift);
    numbers[kRow * kLanes + lane] = value & kMask;
  }
}

template <size_t kBits>
void unpack_all(const char* packed, uint32_t* numbers) {
  if constexpr (kBits == 0) {
    std::fill_n(numbers, kBlockSize, 0);
  } else {
    [&]<size_t... kRow>(std::index_sequence<kRow...>) {
      (unpack_row<kBits, kRow>(packed, numbers), ...);
    }
    (std::make_index_sequence<kRows>());
  }
}

using Unpack = void (*)(const char*, uint32_t*);
template <size_t... kBits>
constexpr std::array<Unpack, sizeof...(kBits)> unpack_table(std::index_sequence<kBits...>) {
  return {&unpack_all<kBits>...};
}
constexpr auto kUnpack = unpack_table(std::make_index_sequence<kWordBits + 1>());

}  // namespace

int bits_needed(const uint32_t* numbers) {
  uint32_t all = 0;
  for (size_t i = 0; i < kBlockSize; ++i) all |= numbers[i];
  return std::bit_width(all);
}

void pack(const uint32_t* numbers, int bits, std::string& out) {
  std::array<uint32_t, kBlockSize> words{};
  const auto width = static_cast<size_t>(bits);
  for (size_t i = 0; i < kBlockSize; ++i) {
    const size_t lane = i % kLanes;
    const size_t bit = i / kLanes * width;
    const size_t shift = bit % kWordBits;
    const size_t word = bit / kWordBits * kLanes + lane;
    if (width > 0) words[word] |= numbers[i] << shift;
    if (shift + width > kWordBits) words[word + kLanes] |= numbers[i] >> (kWordBits - shift);
  }
  out.append(reinterpret_cast<const char*>(words.data()), packed_size(bits));
}

void unpack(const char* packed, int bits, uint32_t* numbers) {
  kUnpack[static_cast<size_t>(bits)](packed, numbers);
}

}  // namespace knapsack::search

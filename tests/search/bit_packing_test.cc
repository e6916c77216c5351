#include "search/segments/bit_packing.h"

#include <array>
#include <random>

#include "support/support.h"

namespace knapsack::search {
namespace {

TEST(BitPacking, GivesBackEveryNumberAtEveryWidth) {
  std::mt19937 random(1);
  for (int bits = 0; bits <= 32; ++bits) {
    const uint32_t mask = bits == 0 ? 0 : UINT32_MAX >> (32 - bits);
    std::array<uint32_t, kBlockSize> numbers{}, unpacked{};
    for (auto& number : numbers) number = static_cast<uint32_t>(random()) & mask;
    numbers[random() % kBlockSize] = mask;
    ASSERT_EQ(bits_needed(numbers.data()), bits);
    std::string packed = "before";
    pack(numbers.data(), bits, packed);
    ASSERT_EQ(packed.size(), 6 + packed_size(bits));
    unpacked.fill(0xDEADBEEF);
    unpack(packed.data() + 6, bits, unpacked.data());
    EXPECT_EQ(unpacked, numbers) << bits << " bits";
  }
}

TEST(BitPacking, PutsTheSameBitsWhereTheFormatSays) {
  // Number i is in lane i % 4, row i / 4: at one bit each, number 5 is bit 1 of the second word.
  std::array<uint32_t, kBlockSize> numbers{};
  numbers[5] = 1;
  std::string packed;
  pack(numbers.data(), 1, packed);
  std::string expected(16, '\0');
  expected[4] = 2;
  EXPECT_EQ(packed, expected);
}

}  // namespace
}  // namespace knapsack::search

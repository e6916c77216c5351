#include "search/segments/posting_list.h"

#include <algorithm>
#include <optional>
#include <random>

#include "core/byte_reader.h"
#include "support/support.h"

namespace knapsack::search {
namespace {

struct List {
  std::vector<uint32_t> units;
  std::vector<uint32_t> frequencies;

  std::string bytes() const {
    std::string out;
    std::vector<Posting> postings;
    for (size_t i = 0; i < units.size(); ++i) postings.push_back({units[i], frequencies[i]});
    append_posting_list(postings, out);
    return out;
  }
  bool operator==(const List&) const = default;
};

List random_list(std::mt19937& random, size_t count, uint32_t largest_gap) {
  List list;
  uint64_t unit = 0;
  for (size_t i = 0; i < count; ++i) {
    unit += random() % largest_gap;
    list.units.push_back(static_cast<uint32_t>(unit++));
    list.frequencies.push_back(random() % 3 != 0 ? 1 : 1 + static_cast<uint32_t>(random() % 1000));
  }
  return list;
}

// What a reader gives; nothing when it says that the list is damaged.
std::optional<List> read(PostingReader reader) {
  List list;
  PostingBlock block, again;
  while (!reader.done()) {
    if (!reader.decode(block)) return std::nullopt;
    EXPECT_TRUE(reader.decode_units(again));
    EXPECT_EQ(again.size, block.size);
    EXPECT_LE(reader.next_unit(), block.units[0]);
    for (size_t i = 0; i < block.size; ++i) {
      EXPECT_EQ(again.units[i], block.units[i]);
      list.units.push_back(block.units[i]);
      list.frequencies.push_back(block.frequencies[i]);
    }
    reader.advance(block);
  }
  return list;
}

TEST(PostingList, IsReadBackWhateverItsLength) {
  std::mt19937 random(2);
  for (const size_t count : {0, 1, 2, 127, 128, 129, 255, 256, 257, 1000, 5000}) {
    for (const uint32_t gap : {1U, 2U, 100U, 100'000U}) {
      const List list = random_list(random, count, gap);
      const uint32_t limit = count == 0 ? 1 : list.units.back() + 1;
      const std::string bytes = list.bytes();
      EXPECT_EQ(read(PostingReader(bytes, static_cast<uint32_t>(count), limit)), list) << count << " " << gap;
    }
  }
}

TEST(PostingList, TakesTheLargestUnitsAndFrequencies) {
  List list;
  for (uint32_t i = 0; i < kBlockSize; ++i) {
    list.units.push_back(i < 5 ? i : UINT32_MAX - 200 + i);
    list.frequencies.push_back(i % 2 == 0 ? 1 : kMaxFrequency);
  }
  const std::string bytes = list.bytes();
  EXPECT_EQ(read(PostingReader(bytes, kBlockSize, UINT32_MAX - 1)), list);
}

TEST(PostingList, OfOneNeedsNoBytes) {
  EXPECT_EQ(read(PostingReader::single(7, 3)), (List{{7}, {3}}));
}

TEST(PostingList, SkipsBlocksWithoutLosingAUnit) {
  std::mt19937 random(3);
  const List list = random_list(random, 3000, 50);
  const std::string bytes = list.bytes();
  for (int round = 0; round < 200; ++round) {
    const uint32_t target = static_cast<uint32_t>(random() % (list.units.back() + 100));
    PostingReader reader(bytes, 3000, list.units.back() + 1);
    ASSERT_TRUE(reader.skip_to(target));
    const auto rest = read(reader);
    ASSERT_TRUE(rest.has_value());
    const auto first = std::lower_bound(list.units.begin(), list.units.end(), target);
    const auto left = static_cast<size_t>(list.units.end() - first);
    ASSERT_GE(rest->units.size(), left);
    EXPECT_LT(rest->units.size(), left + 2 * kBlockSize);
    EXPECT_TRUE(std::equal(first, list.units.end(), rest->units.end() - static_cast<long>(left)));
  }
}

TEST(PostingList, ThatIsDamagedIsSaidToBeOrStaysInRange) {
  std::mt19937 random(4);
  const List list = random_list(random, 300, 20);
  const std::string good = list.bytes();
  const uint32_t limit = list.units.back() + 1;
  size_t refused = 0;
  for (size_t at = 0; at < good.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bytes = good;
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
      const auto read_back = read(PostingReader(bytes, 300, limit));
      if (!read_back) {
        ++refused;
        continue;
      }
      ASSERT_EQ(read_back->units.size(), 300u);
      for (size_t i = 0; i < 300; ++i) {
        ASSERT_LT(read_back->units[i], limit);
        ASSERT_GE(read_back->frequencies[i], 1u);
        ASSERT_TRUE(i == 0 || read_back->units[i - 1] < read_back->units[i]);
      }
    }
  }
  EXPECT_GT(refused, 0u);
  for (size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(read(PostingReader(std::string_view(good).substr(0, size), 300, limit)).has_value()) << size;
  }
  EXPECT_FALSE(read(PostingReader(good, 300, limit - 1)).has_value());
}

TEST(ByteReader, GivesZerosOnceItFailed) {
  ByteReader cut(std::string_view("\xFF\xFF", 2));
  EXPECT_EQ(cut.varint(), 0u);
  EXPECT_TRUE(cut.failed());
  EXPECT_EQ(cut.number<uint8_t>(), 0);
  ByteReader endless("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF");
  EXPECT_EQ(endless.varint(), 0u);
  EXPECT_TRUE(endless.failed());
  std::string bytes;
  append_varint(bytes, UINT64_MAX);
  append_varint(bytes, uint64_t{UINT32_MAX} + 1);
  ByteReader large(bytes);
  EXPECT_EQ(large.varint(), UINT64_MAX);
  EXPECT_FALSE(large.failed());
  EXPECT_EQ(large.varint32(), 0u);
  EXPECT_TRUE(large.failed());
}

}  // namespace
}  // namespace knapsack::search

#include "search/segments/live_set.h"

#include "core/byte_reader.h"
#include "search/segments/segment_format.h"
#include "support/support.h"

namespace knapsack::search {
namespace {

std::vector<uint32_t> members(const LiveSet& set) {
  std::vector<uint32_t> all;
  set.for_each([&](uint32_t document) { all.push_back(document); });
  return all;
}

TEST(LiveSet, HoldsWhatWasAddedAndNotRemoved) {
  LiveSet set = LiveSet::all(5);
  set.add(100'000);
  set.remove(3);
  EXPECT_THAT(members(set), ::testing::ElementsAre(0, 1, 2, 4, 100'000));
  EXPECT_EQ(set.size(), 5u);
  EXPECT_TRUE(set.contains(4));
  EXPECT_FALSE(set.contains(3));
  EXPECT_TRUE(set.fits(100'001));
  EXPECT_FALSE(set.fits(100'000));
  EXPECT_TRUE(LiveSet().fits(0));
  EXPECT_TRUE(LiveSet::all(0) == LiveSet());
}

TEST(LiveSet, OfTwoIsWhatBothOrEitherHold) {
  LiveSet active, mine;
  for (const uint32_t document : {1, 2, 3, 70'000}) active.add(document);
  for (const uint32_t document : {2, 5, 70'000}) mine.add(document);
  LiveSet both = active, either = active;
  both.intersect(mine);
  either.unite(mine);
  EXPECT_THAT(members(both), ::testing::ElementsAre(2, 70'000));
  EXPECT_THAT(members(either), ::testing::ElementsAre(1, 2, 3, 5, 70'000));
  EXPECT_EQ(active.size(), 4u);
}

TEST(LiveSet, IsAValue) {
  LiveSet first = LiveSet::all(3);
  LiveSet second = first;
  second.remove(1);
  EXPECT_EQ(first.size(), 3u);
  first = second;
  first = *&first;
  EXPECT_TRUE(first == second);
}

TEST(LiveSet, HasTheSameBytesHoweverItWasBuilt) {
  LiveSet one_by_one;
  for (uint32_t i = 1000; i-- > 0;) one_by_one.add(i);
  LiveSet with_detour = LiveSet::all(1001);
  with_detour.remove(1000);
  const LiveSet at_once = LiveSet::all(1000);
  EXPECT_EQ(one_by_one.to_bytes(), at_once.to_bytes());
  EXPECT_EQ(with_detour.to_bytes(), at_once.to_bytes());
  const auto back = LiveSet::from_bytes(at_once.to_bytes());
  ASSERT_OK(back);
  EXPECT_TRUE(*back == at_once);
}

TEST(LiveSet, RefusesBytesThatAreDamaged) {
  LiveSet set = LiveSet::all(1000);
  set.add(70'000);
  const std::string bytes = set.to_bytes();
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(LiveSet::from_bytes(bytes.substr(0, size)).ok()) << size;
  }
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    EXPECT_FALSE(LiveSet::from_bytes(flipped).ok()) << at;
  }
}

// As whoever brings a set along would: with a checksum that fits.
std::string sealed_set(const std::string& bitmap) {
  std::string bytes;
  append_number(bytes, page_checksum(bitmap));
  return bytes + bitmap;
}

// The library would believe the numbers, and write past what it made room for.
TEST(LiveSet, RefusesBytesThatSayOneThingAndHoldAnother) {
  LiveSet scattered, listed, in_runs = LiveSet::all(3000);
  for (uint32_t i = 0; i < 5000; ++i) scattered.add(i * 13);
  for (uint32_t i = 0; i < 3; ++i) listed.add(i * 7);
  for (uint32_t i = 4000; i < 5000; ++i) in_runs.add(i);
  constexpr size_t kChecksum = 8, kBody = 16, kCountOfRuns = 7, kSecondRun = 15;
  const auto bitmap_of = [](const LiveSet& set) { return set.to_bytes().substr(kChecksum); };

  std::string more_than_it_says = bitmap_of(scattered);
  more_than_it_says.replace(kBody, 8192, std::string(8192, '\xff'));
  std::string fewer_than_it_says = bitmap_of(scattered);
  fewer_than_it_says.replace(kBody, 8192, std::string(8192, '\0'));
  std::string not_in_order = bitmap_of(listed);
  std::swap(not_in_order[kBody], not_in_order[kBody + 2]);
  std::string runs_over_each_other = bitmap_of(in_runs);
  runs_over_each_other.replace(kSecondRun, 2, std::string(2, '\0'));
  std::string other_count = bitmap_of(in_runs);
  other_count[kCountOfRuns] = static_cast<char>(other_count[kCountOfRuns] + 1);
  const std::string behind_its_end = bitmap_of(listed) + "x";
  for (const std::string& bitmap : {more_than_it_says, fewer_than_it_says, not_in_order, runs_over_each_other,
                                    other_count, behind_its_end, std::string()})
    EXPECT_FALSE(LiveSet::from_bytes(sealed_set(bitmap)).ok());
}

TEST(LiveSet, ReadsEveryFormThatItWrites) {
  LiveSet set;
  EXPECT_OK(LiveSet::from_bytes(set.to_bytes()));
  for (uint32_t part = 0; part < 6; ++part) {
    for (uint32_t i = 0; i < 5000; ++i) set.add(((3 * part) << 16U) + i * 13);     // bits
    for (uint32_t i = 0; i < 100; ++i) set.add(((3 * part + 1) << 16U) + i * 13);  // a list
    for (uint32_t i = 0; i < 60'000; ++i) set.add(((3 * part + 2) << 16U) + i);    // a run
    const auto back = LiveSet::from_bytes(set.to_bytes());
    ASSERT_OK(back);
    EXPECT_TRUE(*back == set);
  }
}

}  // namespace
}  // namespace knapsack::search

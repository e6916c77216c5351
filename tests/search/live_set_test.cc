#include "search/segments/live_set.h"

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

}  // namespace
}  // namespace knapsack::search
